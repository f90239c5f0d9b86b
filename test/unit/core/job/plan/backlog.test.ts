/** Features that no job has: a job takes them with their ids, and gives back what it does not work on. */
import { describe, expect, it } from 'vitest';
import {
  backlog,
  backlogPlan,
  nextBacklog,
  ownPlan,
  withBacklogIds,
} from '../../../../../src/core/job/plan/backlog.ts';
import { planFaults } from '../../../../../src/core/job/plan/planCheck.ts';
import { projectChanges, projectState } from '../../../../../src/core/project/projectState.ts';
import { jobFeatures } from '../../../../../src/core/state/rows.ts';
import { reduce } from '../../../../../src/core/workspace/reduce.ts';
import { planSchema } from '../../../../../src/shared/job/plan.ts';
import type { FeatureRow } from '../../../../../src/shared/job/rows.ts';
import type { Event, EventDraft } from '../../../../../src/shared/workspace/events.ts';
import { applyChanges } from '../../../../../src/shared/workspace/state.ts';
import {
  featureRow,
  JOB_ID,
  noteRow,
  PROJECT_ID,
  planOf,
  sessionRow,
  stateOf,
} from '../../../../support/state/builders.ts';
import { briefSubmitted, type Fold, phaseStarted, planAccepted, startFold } from '../../../../support/state/fold.ts';
import { ILLEGAL } from '../../../../support/state/refusals.ts';

const imported = (id: number, patch: Partial<FeatureRow> = {}): FeatureRow =>
  featureRow({ id, job_id: null, phase_id: null, name: `f${id}`, created_by: 'import', status: 'pending', ...patch });

/** `id` is the job's. */
function filed(ids: readonly number[], id = JOB_ID): EventDraft {
  const draft = briefSubmitted();
  if (draft.type !== 'brief_submitted') throw new Error('it files a brief');
  return { ...draft, job: { ...draft.job, id, backlog: ids } };
}

/** Features 5, 9 and 12 are pending; 7 is completed and 8 failed. */
function withBacklog(): Fold {
  const fold = startFold();
  fold.commit(
    { type: 'project_created', project: { id: PROJECT_ID, model: null, workdir: null } },
    {
      type: 'imported',
      source: 'features.db.seed003-1.bak',
      features: [
        imported(12),
        imported(5, { retry_count: 1, testing_steps: ['it opens'] }),
        imported(9),
        imported(7, { status: 'completed' }),
        imported(8, { status: 'failed' }),
      ],
      notes: [noteRow({ id: 20, feature_id: 5, content: 'about five' })],
      sessions: [sessionRow({ id: 3, job_id: null, status: 'completed' })],
    },
  );
  return fold;
}

/** The job's own plan, proposed and accepted, without the features of these names. */
function planned(fold: Fold, without: readonly string[] = []): void {
  const job = fold.state.jobs.get(JOB_ID)!;
  const draft = ownPlan(fold.state, job);
  if (draft?.type !== 'plan_proposed') throw new Error('it has a plan of its own');
  const [phase] = draft.plan.phases;
  const plan = {
    ...draft.plan,
    phases: [{ ...phase!, features: phase!.features.filter(({ name }) => !without.includes(name)) }],
  };
  fold.commit({ ...draft, plan }, planAccepted(plan));
}

const of = (fold: Fold, id: number) => fold.state.features.get(id)!;
const ids = (rows: readonly FeatureRow[]) => rows.map(({ id }) => id);

describe('the plan of the backlog', () => {
  it('has the pending features that no job has, in the order of their ids, with their testing steps', () => {
    const plan = backlogPlan(nextBacklog(withBacklog().state));
    expect(plan.title).toBe('Backlog: 3 features');
    expect(plan.phases[0]?.features.map(({ id, testing_steps }) => [id, testing_steps])).toEqual([
      [5, ['it opens']],
      [9, []],
      [12, []],
    ]);
  });

  it('is one that can be accepted and edited, whatever the old rows say', () => {
    const long = 'a name that goes on '.repeat(20);
    const plan = backlogPlan([
      imported(1, { name: 'same', description: '', category: '' }),
      imported(2, { name: 'same', description: 'another', testing_steps: ['  ', ' click '] }),
      imported(3, { name: long, description: 'short' }),
      imported(4, { name: long, description: 'short' }),
      imported(5, { name: ' ' }),
    ]);
    expect(planSchema.parse(plan)).toEqual(plan);
    expect(planFaults(plan)).toEqual([]);
    const features = plan.phases[0]!.features;
    expect(features.map(({ name }) => name.slice(0, 12))).toEqual([
      'same',
      'same (2)',
      'a name that ',
      'a name that ',
      'Feature 5',
    ]);
    expect(features[2]?.description).toContain(long.trim());
    expect(features[1]?.testing_steps).toEqual(['click']);
  });

  it('cuts nothing off: what does not fit is refused, and how to leave it out is said', () => {
    const state = stateOf({ features: [imported(5, { description: 'x'.repeat(9_000) })] });
    expect(() => backlogPlan(nextBacklog(state))).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: 'feature 5 does not fit into a plan: its description has 9000 characters, at most 8000 are allowed',
        hint: 'To leave it out, run: autonomous status 5 failed',
      }),
    );
  });

  it('of an empty backlog is refused; of more than a plan can have it is the first ones', () => {
    expect(() => nextBacklog(stateOf({}))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    const many = stateOf({ features: Array.from({ length: 501 }, (_, k) => imported(k + 1)) });
    expect(nextBacklog(many)).toHaveLength(500);
    expect(backlog(many)).toHaveLength(501);
  });

  it('by a planner, after a no, keeps the rows of the features that it names', () => {
    const plan = withBacklogIds(planOf({ Core: ['f9', 'new', 'f5'] }), [imported(5), imported(9)]);
    expect(plan.phases[0]?.features.map(({ id }) => id)).toEqual([9, undefined, 5]);
  });
});

describe('a job that takes the backlog', () => {
  it('has the features themselves: their ids, retries and notes', () => {
    const fold = withBacklog();
    fold.commit(filed([5, 9, 12]));
    expect(backlog(fold.state)).toEqual([]);
    planned(fold);
    expect(ids(jobFeatures(fold.state, JOB_ID))).toEqual([5, 9, 12]);
    expect(of(fold, 5)).toMatchObject({ job_id: JOB_ID, phase_id: 1, retry_count: 1, created_by: 'import' });
    expect(fold.state.notes.get(20)?.feature_id).toBe(5);
    expect(fold.state.features.size).toBe(5);
  });

  it('leaves none of them to another one that was filed at the same time', () => {
    const fold = withBacklog();
    fold.commit(filed([5]));
    expect(() => fold.commit(filed([5, 9], 'second'))).toThrow(ILLEGAL);
    expect(() => fold.commit(filed([7], 'second'))).toThrow(ILLEGAL);
    fold.commit(filed([9], 'second'));
    expect(ids(backlog(fold.state))).toEqual([12]);
  });

  it.each([
    ['before its plan is accepted', false],
    ['while it runs', true],
  ])('gives back what is pending when it is cancelled %s', (_when, accepted) => {
    const fold = withBacklog();
    fold.commit(filed([5, 9, 12]));
    if (accepted) {
      planned(fold);
      fold.commit(phaseStarted(), { type: 'feature_set', id: 9, status: 'completed', by: 'steward', reason: null });
    }
    fold.commit({ type: 'job_cancelled', job_id: JOB_ID, reason: 'no', by: 'steward' });
    expect(ids(backlog(fold.state))).toEqual(accepted ? [5, 12] : [5, 9, 12]);
    fold.commit(filed([5], 'second'));
    expect(of(fold, 5)).toMatchObject({ job_id: 'second', phase_id: null, retry_count: 1 });
  });

  it('gives back what the steward leaves out of its plan, before and after it was accepted', () => {
    const fold = withBacklog();
    fold.commit(filed([5, 9, 12]));
    planned(fold, ['f9']);
    expect(ids(backlog(fold.state))).toEqual([9]);
    const plan = backlogPlan([of(fold, 5)]);
    const again = { ...plan, phases: [{ ...plan.phases[0]!, id: 1 }] };
    fold.commit(
      { type: 'plan_proposed', job_id: JOB_ID, plan_version: 2, plan: again, by: 'steward', session: null },
      planAccepted(again, 2),
    );
    expect(ids(backlog(fold.state))).toEqual([9, 12]);
    expect(ids(jobFeatures(fold.state, JOB_ID))).toEqual([5]);
  });

  it('accepts its plan although a feature was completed by hand meanwhile', () => {
    const fold = withBacklog();
    fold.commit(filed([5, 9]), { type: 'feature_set', id: 5, status: 'completed', by: 'steward', reason: null });
    const plan = backlogPlan([of(fold, 5), of(fold, 9)]);
    fold.commit(
      { type: 'plan_proposed', job_id: JOB_ID, plan_version: 1, plan, by: 'backlog', session: null },
      planAccepted(plan),
    );
    expect(of(fold, 5)).toMatchObject({ status: 'completed', phase_id: 1 });
  });

  it('that is over gives a failed feature back when a person makes it pending again', () => {
    const fold = withBacklog();
    fold.commit(filed([5, 9]));
    planned(fold);
    fold.commit(phaseStarted(), { type: 'feature_set', id: 5, status: 'failed', by: 'steward', reason: null });
    fold.commit({ type: 'job_failed', job_id: JOB_ID, reason: 'no' });
    expect([of(fold, 5).job_id, of(fold, 9).job_id]).toEqual([JOB_ID, null]);
    fold.commit({ type: 'feature_set', id: 5, status: 'pending', by: 'steward', reason: null });
    expect(ids(backlog(fold.state))).toEqual([5, 9, 12]);
  });

  it('shows its thread what it took, with its notes, and no longer what it gave back', () => {
    const fold = withBacklog();
    const own = projectState(fold.state, PROJECT_ID);
    const follow = (draft: EventDraft): void => {
      const event: Event = { ...draft, seq: 99, epoch: 1, at: '2026-11-02T12:00:00.000Z' };
      const changes = reduce(fold.state, event);
      applyChanges(fold.state, changes);
      applyChanges(own, projectChanges(fold.state, PROJECT_ID, event, changes) ?? []);
    };
    follow(filed([5, 9]));
    expect([[...own.features.keys()], [...own.notes.keys()]]).toEqual([[5, 9], [20]]);
    follow({ type: 'job_cancelled', job_id: JOB_ID, reason: 'no', by: 'steward' });
    expect([...own.features.keys()]).toEqual([]);
  });
});
