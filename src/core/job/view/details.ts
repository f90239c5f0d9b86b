/** Everything of one feature that its card does not say. */
import type { AttemptRow, FeatureRow } from '../../../shared/job/rows.ts';
import type { NoteRow } from '../../../shared/note.ts';
import type { SessionRow } from '../../../shared/session.ts';
import type {
  PanelAttempt,
  PanelDetails,
  PanelNote,
  PanelReview,
  PanelSession,
  PanelSessionFacts,
} from '../../../shared/workspace/panel.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { executorOf, pickedIn } from '../../agent/executors.ts';
import { isUnpriced, settledIn, tokensIn } from '../../money/ledger.ts';
import { handoversOf } from '../../money/view/cacheLines.ts';
import type { LedgerWithUses } from '../../money/view/sessionUses.ts';
import { featureAttempts, phaseReviews } from '../../state/rows.ts';
import { holds } from './board.ts';

/** Data for an attempt beside its row. */
interface Beside {
  readonly state: State;
  readonly ledger: LedgerWithUses;
}

const costOf = ({ ledger }: Beside, id: number): number => settledIn(ledger.byAttempt.get(id)) / 1e6;

function evidenceView({ evidence }: AttemptRow): PanelAttempt['evidence'] {
  return evidence.map(({ command, exitCode, ended, durationMs, artifact, fresh }) => ({
    command,
    exitCode,
    ended,
    durationMs,
    artifact,
    ...(fresh === undefined ? {} : { fresh }),
  }));
}

function modelOf(state: State, { session_id, route }: AttemptRow): Pick<PanelAttempt, 'model' | 'route'> {
  return { model: state.sessions.get(session_id)?.model ?? '', route };
}

function attemptView(row: AttemptRow, beside: Beside): PanelAttempt {
  const sums = beside.ledger.byAttempt.get(row.id);
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    cause: row.cause,
    summary: row.summary,
    feedback: row.feedback,
    returns: row.returns.map(({ cause, paths, at }) => ({ cause, paths, at })),
    todo: row.todo,
    evidence: evidenceView(row),
    diff: row.diff,
    changed: row.changed,
    ...modelOf(beside.state, row),
    executor: executorOf(beside.state, row),
    tokens: tokensIn(sums),
    unpriced: isUnpriced(sums),
    sessionId: row.session_id,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    workedMs: row.worked_ms,
    costUsd: costOf(beside, row.id),
  };
}

function reviewView(row: AttemptRow, beside: Beside): PanelReview {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    cause: row.cause,
    verdict: row.verdict?.verdict ?? null,
    reason: row.verdict?.reason ?? row.summary,
    feedback: row.verdict?.feedback || row.feedback,
    evidence: evidenceView(row),
    ...modelOf(beside.state, row),
    executor: executorOf(beside.state, row),
    sessionId: row.session_id,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    workedMs: row.worked_ms,
    costUsd: costOf(beside, row.id),
  };
}

export function sessionFacts(row: SessionRow): PanelSessionFacts {
  return {
    id: row.id,
    role: row.role,
    model: row.model,
    executor: row.executor,
    status: row.status,
    turns: row.turns,
    costUsd: row.cost_usd,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    workedMs: row.worked_ms,
  };
}

function sessionView(row: SessionRow, ledger: LedgerWithUses): PanelSession {
  return {
    ...sessionFacts(row),
    ...handoversOf(ledger, row.id),
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    error: row.error_message,
  };
}

function noteView({ id, content, created_by, created_by_session, created_at, file, line }: NoteRow): PanelNote {
  return { id, content, created_by, created_by_session, createdAt: created_at, file, line };
}

/** Sessions that tried it: a batch's belongs to each feature that it took. */
function sessionsOf(state: State, feature: FeatureRow, attempts: readonly AttemptRow[]): SessionRow[] {
  const ids = new Set(attempts.map(({ session_id }) => session_id));
  return [...state.sessions.values()]
    .filter((row) => ids.has(row.id) || row.feature_id === feature.id)
    .sort((a, b) => a.id - b.id);
}

/** The picked result, by the answer to the last question of this kind. */
function pickedOf(state: State, { id }: FeatureRow): number | null {
  const asked = [...state.approvals.values()].findLast((row) => row.kind === 'pick' && row.feature_id === id);
  return asked === undefined ? null : pickedIn(asked);
}

/** `ledger` is up to date with the state. */
export function details(state: State, ledger: LedgerWithUses, featureId: number): PanelDetails | null {
  const feature = state.features.get(featureId);
  if (feature === undefined) return null;
  const attempts = featureAttempts(state, featureId);
  const reviews = feature.phase_id === null ? [] : phaseReviews(state, feature.phase_id);
  const beside = { state, ledger };
  return {
    featureId,
    description: feature.description,
    testingSteps: feature.testing_steps,
    dependsOn: feature.depends_on.flatMap((id) => {
      const other = state.features.get(id);
      return other === undefined ? [] : [{ id, name: other.name, status: other.status }];
    }),
    held: holds(state)(feature),
    failureReason: feature.failure_reason,
    feedback: feature.feedback,
    commit: feature.commit,
    executors: feature.executors,
    candidates: feature.candidates,
    picked: pickedOf(state, feature),
    attempts: attempts.map((row) => attemptView(row, beside)),
    reviews: reviews.map((row) => reviewView(row, beside)),
    notes: [...state.notes.values()]
      .filter((row) => row.feature_id === featureId && row.superseded_by === null)
      .map(noteView),
    sessions: sessionsOf(state, feature, attempts).map((row) => sessionView(row, ledger)),
  };
}
