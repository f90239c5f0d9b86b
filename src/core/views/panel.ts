/** The snapshot that the pages show, a function of the state. */
import type { ApprovalRow, AttemptRow, JobRow, NoteRow, SpendRow } from '../../shared/domain.ts';
import type {
  PanelApproval,
  PanelAttempt,
  PanelCard,
  PanelCosts,
  PanelJob,
  PanelView,
} from '../../shared/panelView.ts';
import type { State } from '../../shared/state.ts';
import { MAX_RETRIES } from '../reduce/features.ts';
import { countedMicroUsd, jobFeatures, jobPhases } from '../rows.ts';
import { isPriced } from '../unpriced.ts';
import { board, type Card, kanbanStats } from './board.ts';
import { costs } from './costs.ts';

const MAX_POINTS = 300;

function groupBy<Row, Key>(rows: Iterable<Row>, key: (row: Row) => Key | null): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const of = key(row);
    if (of === null) continue;
    const group = groups.get(of);
    if (group === undefined) groups.set(of, [row]);
    else group.push(row);
  }
  return groups;
}

function attemptView(row: AttemptRow, costMicro: number): PanelAttempt {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    cause: row.cause,
    summary: row.summary,
    feedback: row.feedback,
    evidence: row.evidence.map(({ command, exitCode, ended, durationMs, artifact }) => ({
      command,
      exitCode,
      ended,
      durationMs,
      artifact,
    })),
    diff: row.diff,
    sessionId: row.session_id,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    costUsd: costMicro / 1e6,
  };
}

function cardView(state: State, card: Card, notes: readonly NoteRow[], attempts: readonly PanelAttempt[]): PanelCard {
  const row = state.features.get(card.id);
  const job = card.job === null ? undefined : state.jobs.get(card.job);
  const running = attempts.findLast((attempt) => attempt.status === 'running');
  return {
    id: card.id,
    name: card.name,
    description: card.description,
    category: card.category,
    testingSteps: card.testing_steps,
    lane: card.lane,
    status: card.status,
    position: row?.position ?? 0,
    jobId: card.job,
    phaseId: card.phase?.id ?? null,
    phaseNumber: card.phase?.number ?? null,
    phaseTitle: card.phase?.title ?? null,
    retries: card.retry_count,
    maxRetries: job?.options.maxRetries ?? MAX_RETRIES,
    held: card.held,
    failureReason: card.failure_reason,
    feedback: card.feedback,
    approvalId: card.approval,
    costUsd: card.costUsd,
    notes: notes.map(({ id, content, created_at }) => ({ id, content, createdAt: created_at })),
    attempts,
    startedAt: running?.startedAt ?? null,
  };
}

function approvalView(row: ApprovalRow): PanelApproval {
  return {
    id: row.id,
    kind: row.kind,
    question: row.question,
    detail: row.detail,
    choices: row.choices,
    executables: row.executables,
    jobId: row.job_id,
    featureId: row.feature_id,
    requestedAt: row.requested_at,
    reviewable: row.commit !== null,
  };
}

function jobView(state: State, job: JobRow, spends: readonly SpendRow[]): PanelJob {
  const { byCategory: _, ...counts } = kanbanStats(jobFeatures(state, job.id));
  return {
    id: job.id,
    title: job.title,
    status: job.status,
    reason: job.reason,
    wakeAt: job.wake_at,
    costUsd: spends.reduce((sum, row) => sum + countedMicroUsd(row), 0) / 1e6,
    budgetUsd: job.options.budgetMicroUsd === null ? null : job.options.budgetMicroUsd / 1e6,
    simulated: job.options.provider === 'simulated',
    unpriced: !isPriced(job.options.provider),
    counts,
    phases: jobPhases(state, job.id).map(({ id, number, title, status, attempt }) => ({
      id,
      number,
      title,
      status,
      attempt,
    })),
    branch: job.branch,
    createdAt: job.created_at,
    endedAt: job.ended_at,
  };
}

/** Cumulative cost over time, thinned to what a chart can show. */
function series(state: State): (readonly [number, number])[] {
  const rows = [...state.spends.values()]
    .filter((row) => row.status !== 'released')
    .sort((a, b) => a.at.localeCompare(b.at, 'en'));
  const points: (readonly [number, number])[] = [];
  const every = Math.max(1, Math.ceil(rows.length / MAX_POINTS));
  let sum = 0;
  rows.forEach((row, index) => {
    sum += countedMicroUsd(row);
    if (index % every === 0 || index === rows.length - 1) points.push([Date.parse(row.at) / 1000, sum / 1e6]);
  });
  return points;
}

function costView(state: State, today: string): PanelCosts {
  const view = costs(state, today);
  const { byJob, byPhase, byFeature, byAttempt, byRole, byModel, total } = view;
  return {
    day: view.today.day,
    todayUsd: view.today.spentUsd,
    todaySimulatedUsd: view.today.simulatedUsd,
    dayLimitUsd: view.today.limitUsd,
    total,
    byJob,
    byPhase,
    byFeature,
    byAttempt,
    byRole,
    byModel,
    series: series(state),
  };
}

/** `today` as for `costs`; `frame` says how this window is connected. */
export function panel(state: State, today: string, frame: Pick<PanelView, 'banner' | 'mode'>): PanelView {
  const spendByAttempt = new Map<number, number>();
  for (const row of state.spends.values()) {
    if (row.attempt_id === null) continue;
    spendByAttempt.set(row.attempt_id, (spendByAttempt.get(row.attempt_id) ?? 0) + countedMicroUsd(row));
  }
  const attempts = groupBy(state.attempts.values(), (row) => row.feature_id);
  const notes = groupBy(state.notes.values(), (row) => (row.superseded_by === null ? row.feature_id : null));
  const spends = groupBy(state.spends.values(), (row) => row.job_id);
  const cards = board(state).features.map((card) => {
    const own = (attempts.get(card.id) ?? []).sort((a, b) => a.number - b.number);
    return cardView(
      state,
      card,
      notes.get(card.id) ?? [],
      own.map((row) => attemptView(row, spendByAttempt.get(row.id) ?? 0)),
    );
  });
  return {
    ...frame,
    approvals: [...state.approvals.values()].filter((row) => row.status === 'pending').map(approvalView),
    jobs: [...state.jobs.values()].map((job) => jobView(state, job, spends.get(job.id) ?? [])).reverse(),
    cards,
    costs: costView(state, today),
  };
}
