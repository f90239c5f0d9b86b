/** Plans: proposed, accepted, and edited while the work goes on. */
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../../src/shared/job/plan.ts';
import type { EventDraft } from '../../../../../src/shared/workspace/events.ts';
import { JOB_ID, newApproval, planFeature, planOf, planPhase } from '../../../../support/state/builders.ts';
import {
  acceptedJob,
  attemptBegun,
  attemptEnded,
  type Fold,
  phaseStarted,
  planAccepted,
  sessionEnd,
} from '../../../../support/state/fold.ts';
import { ILLEGAL } from '../../../../support/state/refusals.ts';

const job_id = JOB_ID;

/** Features as `[id or null, name, ...dependencies]`, by phase title and id. */
type Line = readonly [id: number | null, name: string, ...after: string[]];

function edited(phases: readonly (readonly [id: number | null, title: string, features: readonly Line[]])[]): Plan {
  return {
    title: 'Edited',
    phases: phases.map(([id, title, features]) =>
      planPhase({
        ...(id === null ? {} : { id }),
        title,
        features: features.map(([featureId, name, ...depends_on]) =>
          planFeature({ ...(featureId === null ? {} : { id: featureId }), name, depends_on, description: 'edited' }),
        ),
      }),
    ),
  };
}

function proposed(fold: Fold, plan: Plan): EventDraft {
  const plan_version = (fold.state.jobs.get(JOB_ID)?.plan_version ?? 0) + 1;
  return { type: 'plan_proposed', job_id, plan_version, plan, by: 'steward', session: null };
}

/** As the engine does it; ids for what has none are from 50. */
function edit(fold: Fold, plan: Plan): void {
  fold.commit(proposed(fold, plan));
  const version = fold.state.jobs.get(JOB_ID)?.plan_version ?? 0;
  const numbered = { ...plan, phases: plan.phases.map((phase, p) => numbering(phase, p)) };
  fold.commit(planAccepted(numbered, version));
}

function numbering(phase: Plan['phases'][number], p: number): Plan['phases'][number] {
  const features = phase.features.map((row, f) => ({ ...row, id: row.id ?? 50 + 10 * p + f }));
  return { ...phase, id: phase.id ?? 50 + p, features };
}

/** The plan of `halfDone` with no dependencies. */
const UNCHAINED = edited([
  [
    1,
    'Core',
    [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ],
  ],
  [2, 'More', [[4, 'd']]],
]);

/** Two phases; `a` is completed, `b` interrupted half-way. */
function halfDone(): Fold {
  const fold = acceptedJob(planOf({ Core: ['a', 'b < a', 'c < b'], More: ['d < c'] }));
  fold.commit(phaseStarted(), ...attemptBegun(1, 1));
  fold.commit(attemptEnded({ id: 1, status: 'succeeded', commit: 'c1', session: sessionEnd(1) }));
  fold.commit(...attemptBegun(2, 2), { type: 'attempt_interrupted', id: 2, job_id, cause: 'pause' });
  return fold;
}

describe('an accepted plan', () => {
  it('becomes phases and features in its order, with dependencies by id', () => {
    const { state } = acceptedJob(planOf({ Core: ['a', 'b < a'], More: ['c < a, b'] }));
    expect([...state.phases.values()].map((row) => [row.number, row.title, row.status])).toEqual([
      [1, 'Core', 'pending'],
      [2, 'More', 'pending'],
    ]);
    expect([...state.features.values()].map((row) => [row.name, row.phase_id, row.position, row.depends_on])).toEqual([
      ['a', 1, 0, []],
      ['b', 1, 1, [1]],
      ['c', 2, 0, [1, 2]],
    ]);
    expect(state.jobs.get(JOB_ID)).toMatchObject({ status: 'running', plan_accepted: true, title: 'The plan' });
  });

  it('keeps a hostile name a name', () => {
    const { state } = acceptedJob(planOf({ __proto__2: ['constructor', 'toString < constructor'] }));
    expect([...state.features.values()].map((row) => [row.name, row.depends_on])).toEqual([
      ['constructor', []],
      ['toString', [1]],
    ]);
  });

  it('is the newest, and its ids fit it', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    const plan = planOf({ Core: ['a', 'b'] });
    fold.commit(proposed(fold, plan));
    const accept = (phases: readonly { id: number; features: readonly number[] }[], plan_version = 2): EventDraft => ({
      type: 'plan_accepted',
      job_id,
      plan_version,
      ids: { phases },
      by: 'steward',
    });
    for (const phases of [
      [],
      [{ id: 1, features: [1] }],
      [{ id: 1, features: [1, 1] }],
      [{ id: 1, features: [1, 2, 3] }],
    ])
      expect(() => fold.commit(accept(phases))).toThrow(ILLEGAL);
    expect(() => fold.commit(accept([{ id: 1, features: [1, 2] }], 1))).toThrow(ILLEGAL);
    fold.commit(accept([{ id: 1, features: [1, 2] }]));
    expect(fold.state.features.size).toBe(2);
  });

  it('is accepted as the first one once, whoever is quicker', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    const ids = { phases: [{ id: 7, features: [7] }] };
    const again = { type: 'plan_accepted', job_id, plan_version: 1, ids, by: 'steward', first: true } as const;
    expect(() => fold.commit(again)).toThrow(ILLEGAL);
    expect([...fold.state.features.keys()]).toEqual([1]);
  });

  it('follows the one before, without a gap', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    const draft = {
      type: 'plan_proposed',
      job_id,
      plan: planOf({ Core: ['a'] }),
      by: 'steward',
      session: null,
    } as const;
    expect(() => fold.commit({ ...draft, plan_version: 1 })).toThrow(ILLEGAL);
    expect(() => fold.commit({ ...draft, plan_version: 3 })).toThrow(ILLEGAL);
  });
});

describe('a plan edited while the work goes on', () => {
  it('changes what is pending, and leaves what was begun as it is', () => {
    const fold = halfDone();
    edit(
      fold,
      edited([
        [
          1,
          'Core',
          [
            [1, 'A'],
            [2, 'B', 'A'],
            [3, 'C'],
          ],
        ],
        [
          2,
          'More',
          [
            [4, 'd', 'C'],
            [null, 'e'],
          ],
        ],
      ]),
    );
    expect([...fold.state.features.values()].map((row) => [row.id, row.name, row.description === 'edited'])).toEqual([
      [1, 'a', false],
      [2, 'b', false],
      [3, 'C', true],
      [4, 'd', true],
      [61, 'e', true],
    ]);
    expect(fold.state.features.get(3)?.depends_on).toEqual([]);
    expect(fold.state.attempts.get(2)?.status).toBe('interrupted');
  });

  it('drops what is pending, with the question about it', () => {
    const fold = halfDone();
    fold.commit({ type: 'attempt_resumed', id: 2, job_id });
    const approval = newApproval({ id: 1, kind: 'stuck', subject: 'stuck:2', feature_id: 2 });
    fold.commit(attemptEnded({ id: 2, status: 'stuck', approval, session: sessionEnd(2) }));
    fold.commit({ type: 'job_awaiting', job_id, reason: 'stuck' });
    edit(fold, edited([[1, 'Core', [[1, 'a']]]]));
    expect([...fold.state.features.keys()]).toEqual([1]);
    expect([...fold.state.phases.keys()]).toEqual([1]);
    expect(fold.state.approvals.get(1)?.status).toBe('void');
    expect(fold.state.jobs.get(JOB_ID)?.status).toBe('running');
  });

  it('cannot leave out what was begun, nor move it to another phase', () => {
    const without = edited([
      [
        1,
        'Core',
        [
          [2, 'b'],
          [3, 'c'],
        ],
      ],
      [2, 'More', [[4, 'd']]],
    ]);
    const moved = edited([
      [
        1,
        'Core',
        [
          [2, 'b'],
          [3, 'c'],
        ],
      ],
      [
        2,
        'More',
        [
          [4, 'd'],
          [1, 'a'],
        ],
      ],
    ]);
    for (const plan of [without, moved]) expect(() => edit(halfDone(), plan)).toThrow(ILLEGAL);
  });

  it('does not take over the rows of another job', () => {
    const fold = halfDone();
    const { job } = fold.events[1] as Extract<EventDraft, { type: 'brief_submitted' }>;
    fold.commit({ type: 'brief_submitted', job: { ...job, id: 'job-2' } });
    const plan = planOf({ Core: ['x'] });
    fold.commit({ type: 'plan_proposed', job_id: 'job-2', plan_version: 1, plan, by: 'steward', session: null });
    const accept = (id: number, feature: number): EventDraft => ({
      type: 'plan_accepted',
      job_id: 'job-2',
      plan_version: 1,
      ids: { phases: [{ id, features: [feature] }] },
      by: 'steward',
    });
    expect(() => fold.commit(accept(1, 90))).toThrow('phase 1 is of another job');
    expect(() => fold.commit(accept(90, 1))).toThrow('feature 1 is of another job');
  });

  it('opens a completed phase again when it adds to it', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    fold.commit(phaseStarted(), ...attemptBegun(1, 1));
    fold.commit(attemptEnded({ id: 1, status: 'succeeded', commit: 'c1', session: sessionEnd(1) }));
    fold.commit({ type: 'phase_reviewing', job_id, phase_id: 1 });
    fold.commit({ type: 'phase_approved', job_id, phase_id: 1, by: 'reviewer', reason: 'good' });
    edit(
      fold,
      edited([
        [
          1,
          'Renamed',
          [
            [1, 'a'],
            [null, 'b'],
          ],
        ],
      ]),
    );
    expect(fold.state.phases.get(1)).toMatchObject({ status: 'pending', title: 'Core', completed_at: null });
  });

  it('takes a phase under review back to work when it adds to it, and the review begins anew', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    fold.commit(phaseStarted(), ...attemptBegun(1, 1));
    fold.commit(attemptEnded({ id: 1, status: 'succeeded', commit: 'c1', session: sessionEnd(1) }));
    fold.commit({ type: 'phase_reviewing', job_id, phase_id: 1 }, ...attemptBegun(2, null));
    fold.commit({ type: 'attempt_interrupted', id: 2, job_id, cause: 'pause' });
    edit(
      fold,
      edited([
        [
          1,
          'Core',
          [
            [1, 'a'],
            [null, 'b', 'a'],
          ],
        ],
      ]),
    );
    expect(fold.state.phases.get(1)).toMatchObject({ status: 'pending', review_attempt: null });
    expect(fold.state.attempts.get(2)?.status).toBe('abandoned');
  });

  it.each([
    { how: { type: 'job_paused', job_id, reason: 'x', by: 'steward' } as const, status: 'paused', wake_at: null },
    {
      how: { type: 'job_waiting', job_id, reason: 'x', wake_at: '2026-11-03T00:00:00.000Z' } as const,
      status: 'waiting',
      wake_at: '2026-11-03T00:00:00.000Z',
    },
  ])('leaves a job that is $status so', ({ how, status, wake_at }) => {
    const fold = halfDone();
    fold.commit(how);
    edit(fold, UNCHAINED);
    expect(fold.state.jobs.get(JOB_ID)).toMatchObject({ status, wake_at, reason: 'x' });
  });

  it('with commands that a person must see is accepted by no engine, and its setup is due', () => {
    const fold = halfDone();
    const plan = { ...UNCHAINED, setup: ['npm i'] };
    fold.commit({ type: 'setup_finished', job_id, evidence: [], head: 'h' });
    fold.commit(proposed(fold, plan));
    const accepted = { ...planAccepted(plan, 2), by: 'engine' } as EventDraft;
    expect(() => fold.commit(accepted)).toThrow(ILLEGAL);
    fold.commit(planAccepted(plan, 2));
    expect(fold.state.jobs.get(JOB_ID)).toMatchObject({ setup_added: ['npm i'], setup_done: false });
  });

  it('settles the question about the plan', () => {
    const fold = halfDone();
    fold.commit({ type: 'approval_requested', approval: newApproval({ id: 1, kind: 'plan', subject: 'plan:1' }) });
    edit(fold, UNCHAINED);
    expect(fold.state.approvals.get(1)?.status).toBe('void');
  });
});

describe('a refused plan', () => {
  const refused = (who: 'engine' | 'steward'): EventDraft => ({
    type: 'plan_refused',
    job_id,
    feedback: 'smaller',
    by: who,
    session: null,
  });

  it('counts as a try of the planner, unless the steward said no', () => {
    const fold = acceptedJob(planOf({ Core: ['a'] }));
    fold.commit(refused('engine'), refused('engine'));
    expect(fold.state.jobs.get(JOB_ID)).toMatchObject({ planner_tries: 2, plan_feedback: 'smaller' });
    fold.commit(refused('steward'));
    expect(fold.state.jobs.get(JOB_ID)).toMatchObject({ planner_tries: 0 });
    fold.commit(proposed(fold, planOf({ Core: ['a'] })));
    expect(fold.state.jobs.get(JOB_ID)).toMatchObject({ planner_tries: 0, plan_feedback: null, plan_version: 2 });
  });
});
