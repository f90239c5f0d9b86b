/** Plans: proposed, refused, accepted. */

import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure } from '../../../shared/errors.ts';
import type { PlanIds } from '../../../shared/job/jobEvents.ts';
import type { Plan, PlanPhase } from '../../../shared/job/plan.ts';
import type { FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { isGate } from '../../approval/reduceApprovals.ts';
import { endSession } from '../../state/endSession.ts';
import { planId } from '../../state/planId.ts';
import type { Reducer } from '../../state/reducer.ts';
import { jobPhases, need, needLive, phaseFeatures } from '../../state/rows.ts';
import { toBacklog, unplannedFeatures } from '../plan/backlog.ts';
import { mustBeAsked, newSetup } from '../plan/planSetup.ts';
import { voidQuestions } from './answers.ts';
import { isSameWork } from './candidates.ts';
import { UNTRIED } from './features.ts';
import { moveJob } from './jobs.ts';
import { abandonReviews, reopenedPhases } from './reopen.ts';

/** The values of a phase that was not started. */
export const UNSTARTED = {
  status: 'pending',
  attempt: 1,
  feedback: null,
  summary: null,
  summary_attempt: 0,
  error_message: null,
  review_attempt: null,
  base_commit: null,
  started_at: null,
  completed_at: null,
} as const;

function phaseRow(state: State, job: JobRow, phase: PlanPhase, id: number, number: number): PhaseRow {
  const known = state.phases.get(id);
  if (known !== undefined && known.job_id !== job.id)
    throw failure('ILLEGAL_TRANSITION', `phase ${id} is of another job`);
  if (known?.status === 'completed') return { ...known, number };
  const text = {
    number,
    title: phase.title,
    objective: phase.objective,
    acceptance_criteria: phase.acceptance_criteria,
    verify_commands: phase.verify_commands,
  };
  if (known !== undefined) return { ...known, ...text };
  return { id, job_id: job.id, ...text, ...UNSTARTED };
}

function featureRows(
  state: State,
  phase: PlanPhase,
  phaseId: number,
  ids: readonly number[],
  byName: ReadonlyMap<string, number>,
  job: JobRow,
  at: string,
): FeatureRow[] {
  return phase.features.map((feature, index) => {
    const id = idAt(ids, index);
    // Position and dependencies come from the newest plan, whose graph was checked as a whole.
    const place = {
      position: index,
      depends_on: feature.depends_on.map((name) =>
        idAt(
          [byName.get(name)].filter((known) => known !== undefined),
          0,
        ),
      ),
    };
    const text = {
      phase_id: phaseId,
      name: feature.name,
      description: feature.description,
      category: feature.category,
      testing_steps: feature.testing_steps,
      verify_commands: feature.verify_commands ?? [],
      paths: feature.paths ?? [],
    };
    const known = state.features.get(id);
    if (known !== undefined) {
      const row = edited(known, job, place, text);
      const before = { feature: known, phase: state.phases.get(known.phase_id ?? 0) };
      return row.status === 'in_progress' || isSameWork(before, { feature: row, phase })
        ? row
        : { ...row, candidates: [] };
    }
    return {
      id,
      job_id: job.id,
      ...text,
      ...place,
      ...UNTRIED,
      created_by: 'plan',
      created_at: at,
      completed_at: null,
    };
  });
}

/** A started feature keeps its text and its phase; the steward's edit changes the rest. */
function edited(
  known: FeatureRow,
  job: JobRow,
  place: Pick<FeatureRow, 'position' | 'depends_on'>,
  text: Partial<FeatureRow>,
): FeatureRow {
  if (known.job_id !== job.id) throw failure('ILLEGAL_TRANSITION', `feature ${known.id} is of another job`);
  if (known.status === 'pending' || known.status === 'failed') return { ...known, ...text, ...place };
  // The feature came from the backlog and was completed by hand before the plan was accepted.
  if (known.phase_id === null) return { ...known, phase_id: text.phase_id ?? null, ...place };
  if (known.phase_id === text.phase_id) return { ...known, ...place };
  throw failure('ILLEGAL_TRANSITION', `feature ${known.id} is ${known.status}: it stays in its phase`);
}

function idAt(ids: readonly number[], index: number): number {
  const id = ids[index];
  if (id === undefined) throw failure('ILLEGAL_TRANSITION', 'the plan and its ids do not fit together');
  return id;
}

/** Every phase and feature has an id, and no two the same. */
function checkIds(plan: Plan, ids: PlanIds): void {
  const features = ids.phases.flatMap((phase) => phase.features);
  const fits =
    ids.phases.length === plan.phases.length &&
    plan.phases.every((phase, index) => phase.features.length === ids.phases[index]?.features.length) &&
    new Set(features).size === features.length &&
    new Set(ids.phases.map((phase) => phase.id)).size === ids.phases.length;
  if (!fits) throw failure('ILLEGAL_TRANSITION', 'the plan and its ids do not fit together');
}

function namesToIds(plan: Plan, ids: PlanIds): Map<string, number> {
  const byName = new Map<string, number>();
  plan.phases.forEach((phase, p) => {
    phase.features.forEach((feature, f) => {
      byName.set(feature.name, idAt(ids.phases[p]?.features ?? [], f));
    });
  });
  return byName;
}

type Removal =
  | { readonly table: 'features'; readonly drop: number }
  | { readonly table: 'features'; readonly put: FeatureRow }
  | { readonly table: 'phases'; readonly drop: number };

/**
 * Parts that the accepted plan leaves out. Features that were started cannot be left out, because history stays. Those from the backlog return to it.
 */
function dropped(state: State, jobId: string, ids: PlanIds): Removal[] {
  const keepPhases = new Set(ids.phases.map((phase) => phase.id));
  const keepFeatures = new Set(ids.phases.flatMap((phase) => phase.features));
  const changes: Removal[] = unplannedFeatures(state, jobId)
    .filter((feature) => feature.status === 'pending' && !keepFeatures.has(feature.id))
    .map((feature) => ({ table: 'features', put: toBacklog(feature) }));
  for (const phase of jobPhases(state, jobId)) {
    const gone = phaseFeatures(state, phase.id).filter((feature) => !keepFeatures.has(feature.id));
    for (const feature of gone) {
      if (feature.status !== 'pending')
        throw failure('ILLEGAL_TRANSITION', `feature ${feature.id} is ${feature.status}: it stays in the plan`);
      const isImported = feature.created_by === 'import';
      changes.push(
        isImported ? { table: 'features', put: toBacklog(feature) } : { table: 'features', drop: feature.id },
      );
    }
    if (keepPhases.has(phase.id)) continue;
    if (phase.status !== 'pending')
      throw failure('ILLEGAL_TRANSITION', `phase ${phase.number} is ${phase.status}: it stays in the plan`);
    changes.push({ table: 'phases', drop: phase.id });
  }
  return changes;
}

export const planReducers = {
  plan_proposed: (state, event) => {
    const job = needLive(state, event.job_id);
    const { plan_version: version, plan, by } = event;
    if (version !== job.plan_version + 1)
      throw failure('ILLEGAL_TRANSITION', `plan ${version} does not follow ${job.plan_version}`);
    return [
      { table: 'plans', put: { id: planId(job.id, version), job_id: job.id, version, plan, by, at: event.at } },
      {
        table: 'jobs',
        put: { ...job, plan_version: version, plan_feedback: null, planner_tries: 0, title: plan.title },
      },
      ...endSession(state, event.session, event.at),
    ];
  },
  plan_refused: (state, event) => {
    const job = needLive(state, event.job_id);
    return [
      {
        table: 'jobs',
        put: {
          ...job,
          plan_feedback: event.feedback,
          planner_tries: event.by === 'engine' ? job.planner_tries + 1 : 0,
        },
      },
      ...endSession(state, event.session, event.at),
    ];
  },
  plan_accepted: (state, event) => {
    const job = needLive(state, event.job_id);
    if (event.first === true && job.plan_accepted)
      throw failure('ILLEGAL_TRANSITION', `job ${job.id} has an accepted plan already`);
    if (event.plan_version !== job.plan_version)
      throw failure('ILLEGAL_TRANSITION', `plan ${event.plan_version} is not the newest, which is ${job.plan_version}`);
    const { plan } = need(state, 'plans', planId(job.id, event.plan_version));
    const setup = newSetup(job, plan);
    if (event.by === 'engine' && mustBeAsked(job, plan))
      throw failure('ILLEGAL_TRANSITION', `plan ${event.plan_version} needs the answer of a person`);
    checkIds(plan, event.ids);
    const byName = namesToIds(plan, event.ids);
    const phases: PhaseRow[] = [];
    const features: FeatureRow[] = [];
    plan.phases.forEach((phase, index) => {
      const ids = event.ids.phases[index];
      if (ids === undefined) throw failure('ILLEGAL_TRANSITION', 'the plan and its ids do not fit together');
      phases.push(phaseRow(state, job, phase, ids.id, index + 1));
      features.push(...featureRows(state, phase, ids.id, ids.features, byName, job, event.at));
    });
    const gone = dropped(state, job.id, event.ids);
    const again = new Map(reopenedPhases(phases, features).map((row) => [row.id, row]));
    const without = new Set(
      gone.flatMap((change) => {
        if (change.table !== 'features') return [];
        return 'drop' in change ? [change.drop] : [change.put.id];
      }),
    );
    const notTried = new Set(features.filter((row) => row.candidates.length === 0).map((row) => row.id));
    const unfinished = features.some((row) => row.status === 'pending');
    const moot = (row: ApprovalRow): boolean =>
      row.kind === 'plan' ||
      (unfinished && isGate(row)) ||
      (row.feature_id !== null && without.has(row.feature_id)) ||
      (row.kind === 'pick' && notTried.has(row.feature_id ?? 0));
    return [
      ...phases.map((row): Change => ({ table: 'phases', put: again.get(row.id) ?? row })),
      ...features.map((put): Change => ({ table: 'features', put })),
      ...gone,
      ...abandonReviews(state, [...again.values()], event.at),
      ...voidQuestions(state, job.id, moot, 'the plan was accepted', event.at),
      {
        table: 'jobs',
        put: moveJob(job, 'accept_plan', {
          plan_accepted: true,
          reason: job.reason,
          wake_at: job.wake_at,
          setup_added: [...job.setup_added, ...setup],
          setup_done: job.setup_done && setup.length === 0,
        }),
      },
    ];
  },
} satisfies {
  plan_proposed: Reducer<'plan_proposed'>;
  plan_refused: Reducer<'plan_refused'>;
  plan_accepted: Reducer<'plan_accepted'>;
};
