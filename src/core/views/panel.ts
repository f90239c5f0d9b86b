/** The snapshot that the pages show, a function of the state. */
import type { ApprovalRow, JobRow, SpendRow } from '../../shared/domain.ts';
import type { PanelApproval, PanelCard, PanelCosts, PanelJob, PanelLook, PanelView } from '../../shared/panelView.ts';
import type { State } from '../../shared/state.ts';
import { MAX_RETRIES } from '../reduce/features.ts';
import { countedMicroUsd, jobFeatures, jobPhases } from '../rows.ts';
import { isPriced } from '../unpriced.ts';
import { board, type Card, kanbanStats } from './board.ts';
import { costs } from './costs.ts';
import { details } from './details.ts';

const MAX_POINTS = 300;
const MAX_REASON = 200;

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

/** Enough to see what it is; the details have the whole. */
function shortened(text: string | null): string | null {
  return text === null || text.length <= MAX_REASON ? text : `${text.slice(0, MAX_REASON - 1)}…`;
}

function cardView(state: State, card: Card, startedAt: string | null): PanelCard {
  const row = state.features.get(card.id);
  const job = card.job === null ? undefined : state.jobs.get(card.job);
  return {
    id: card.id,
    name: card.name,
    category: card.category,
    lane: card.lane,
    status: card.status,
    position: row?.position ?? 0,
    jobId: card.job,
    phaseId: card.phase?.id ?? null,
    phaseNumber: card.phase?.number ?? null,
    phaseTitle: card.phase?.title ?? null,
    retries: card.retry_count,
    maxRetries: job?.options.maxRetries ?? MAX_RETRIES,
    held: shortened(card.held),
    failureReason: shortened(card.failure_reason),
    approvalId: card.approval,
    costUsd: card.costUsd,
    notes: card.notes,
    attempts: card.attempts,
    startedAt,
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

function costView(state: State, today: string, withTables: boolean): PanelCosts {
  const view = costs(state, today);
  const { byJob, byPhase, byFeature, byAttempt, byRole, byModel, total } = view;
  return {
    day: view.today.day,
    todayUsd: view.today.spentUsd,
    todaySimulatedUsd: view.today.simulatedUsd,
    dayLimitUsd: view.today.limitUsd,
    total,
    tables: withTables ? { byJob, byPhase, byFeature, byAttempt, byRole, byModel, series: series(state) } : null,
  };
}

/** `today` as for `costs`; `frame` says how this window is connected, `look` what its page shows. */
export function panel(
  state: State,
  today: string,
  frame: Pick<PanelView, 'banner' | 'mode'>,
  look: PanelLook,
): PanelView {
  const startedAt = new Map<number, string>();
  for (const row of state.attempts.values()) {
    if (row.feature_id !== null && row.status === 'running') startedAt.set(row.feature_id, row.started_at);
  }
  const spends = groupBy(state.spends.values(), (row) => row.job_id);
  return {
    ...frame,
    approvals: [...state.approvals.values()].filter((row) => row.status === 'pending').map(approvalView),
    jobs: [...state.jobs.values()].map((job) => jobView(state, job, spends.get(job.id) ?? [])).reverse(),
    cards: board(state).features.map((card) => cardView(state, card, startedAt.get(card.id) ?? null)),
    details: look.featureId === null ? null : details(state, look.featureId),
    costs: costView(state, today, look.costs),
  };
}
