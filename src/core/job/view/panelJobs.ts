/** The jobs of the snapshot, newest first: one pass over all features and phases, however many jobs there are. */

import type { TakenFailure } from '../../../shared/job/evidence.ts';
import type { FeatureStatus, JobRow, MergeResult, PhaseRow } from '../../../shared/job/rows.ts';
import type { RuleUse } from '../../../shared/rule/ruleViews.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { PanelJob } from '../../../shared/workspace/panel.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { dayEnd } from '../../money/budget.ts';
import type { Ledger, Sums } from '../../money/ledger.ts';
import { isAnyPriced } from '../../money/limitsLeft.ts';
import { isRefusedBy } from '../../money/limitWords.ts';
import { spentOf } from '../../money/view/spent.ts';
import { ruleUses } from '../../rule/ruleViews.ts';
import { laterDay } from '../../text/day.ts';
import { takenFailure } from '../gate/acceptResult.ts';
import { missingLine } from '../missingTool.ts';
import { hasPassed } from './freshRun.ts';
import { isBuiltDemo, standsStill } from './jobStatus.ts';
import { waitsIn } from './waiting.ts';

const noCounts = (): Record<FeatureStatus, number> => ({ pending: 0, in_progress: 0, completed: 0, failed: 0 });

function phasesByJob(state: State): ReadonlyMap<string, readonly PhaseRow[]> {
  return Map.groupBy(state.phases.values(), (phase) => phase.job_id);
}

/** Counts the features that are in a phase. */
function countsByJob(state: State): ReadonlyMap<string, PanelJob['counts']> {
  const byJob = new Map<string, Record<FeatureStatus, number>>();
  for (const feature of state.features.values()) {
    const phase = feature.phase_id === null ? undefined : state.phases.get(feature.phase_id);
    if (phase === undefined) continue;
    const counts = byJob.get(phase.job_id) ?? noCounts();
    counts[feature.status]++;
    byJob.set(phase.job_id, counts);
  }
  return byJob;
}

interface Of {
  readonly phases: readonly PhaseRow[];
  readonly counts: PanelJob['counts'];
  readonly sums: Sums | undefined;
  readonly dayEnds: string;
  readonly still: boolean;
  readonly waiting: PanelJob['waiting'];
  readonly taken: TakenFailure | null;
  readonly uses: readonly RuleUse[];
}

const mergeView = ({ mode, target, commit, rolledBack }: MergeResult): PanelJob['merge'] => ({
  mode,
  target,
  commit,
  rolledBack,
});

function failedBeforeView({ baseline_checks: checks }: JobRow): Pick<PanelJob, 'failedBefore'> {
  const failed = (checks ?? []).filter((one) => !hasPassed(one));
  if (failed.length === 0) return {};
  const view = failed.map((one) => ({
    command: one.command,
    exitCode: one.exitCode,
    ended: one.ended,
    missing: missingLine(one),
  }));
  return { failedBefore: view };
}

/** Whether the project's daily limit is reached, which differs from the workspace's. */
function waitsForProject({ reason }: JobRow): boolean {
  return reason !== null && isRefusedBy(reason, 'project_day');
}

function takenFailureView(taken: TakenFailure | null): Pick<PanelJob, 'takenFailure'> {
  return taken === null ? {} : { takenFailure: taken };
}

function jobView(job: JobRow, { phases, counts, sums, dayEnds, still, waiting, taken, uses }: Of): PanelJob {
  const { provider, budgetMicroUsd } = job.options;
  return {
    id: job.id,
    projectId: job.project_id,
    title: job.title,
    status: job.status,
    ...(still ? { still } : {}),
    reason: job.reason,
    wakeAt: job.wake_at,
    waiting,
    waitsForDay: job.status === 'waiting' && job.wake_at === dayEnds && !waitsForProject(job),
    ...spentOf(sums),
    budgetUsd: budgetMicroUsd === null ? null : budgetMicroUsd / 1e6,
    simulated: provider === 'simulated',
    unpriced: !isAnyPriced(job),
    counts,
    phases: phases
      .toSorted((a, b) => a.number - b.number)
      .map(({ id, number, title, status, attempt }) => ({ id, number, title, status, attempt })),
    ...(job.setup_gap === null || job.setup_added.length > 0 ? {} : { setupGap: job.setup_gap }),
    ...(job.setup_removed === null ? {} : { setupRemoved: job.setup_removed }),
    ...failedBeforeView(job),
    ...takenFailureView(taken),
    ...(uses.length === 0 ? {} : { ruleUses: uses }),
    branch: job.branch,
    built: isBuiltDemo(job),
    merge: job.merge === null ? null : mergeView(job.merge),
    createdAt: job.created_at,
    endedAt: job.ended_at,
  };
}

/** `ledger` is up to date with the state. */
export function jobViews(state: State, today: string, ledger: Ledger, atWork: AtWork): PanelJob[] {
  const phases = phasesByJob(state);
  const counts = countsByJob(state);
  const waits = waitsIn(state);
  const uses = Map.groupBy(state.rules.size === 0 ? [] : ruleUses(state, {}), ({ jobId }) => jobId);
  const dayEnds = dayEnd(laterDay(today, state.meta.last_day));
  return [...state.jobs.values()].reverse().map((job) =>
    jobView(job, {
      phases: phases.get(job.id) ?? [],
      counts: counts.get(job.id) ?? noCounts(),
      sums: ledger.byJob.get(job.id),
      dayEnds,
      still: standsStill(job, atWork),
      waiting: waits.job(job),
      taken: takenFailure(state, job),
      uses: uses.get(job.id) ?? [],
    }),
  );
}
