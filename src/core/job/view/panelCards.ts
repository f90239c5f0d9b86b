/** Builds the cards of the board. A card is rebuilt only if its parts changed; otherwise it stays the same object. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { CardPlace } from '../../../shared/job/place.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import { type TodoItem, todoProgress } from '../../../shared/job/todo.ts';
import type { NoteRow } from '../../../shared/note.ts';
import type { Route } from '../../../shared/routing.ts';
import type { PanelCard } from '../../../shared/workspace/panel.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { whoWorks } from '../../agent/whoWorks.ts';
import { type Ledger, settledIn } from '../../money/ledger.ts';
import { atOnce, followed } from '../../money/view/followed.ts';
import { workingSince } from '../../state/workTime.ts';
import { openTodo } from '../history/todo.ts';
import { featureApprovals } from '../lanes.ts';
import { MAX_RETRIES } from '../reduce/features.ts';
import { holds, inOrderOfWork } from './board.ts';
import { isSamePlace, placeOf } from './place.ts';

const MAX_REASON = 200;

interface Tries {
  count: number;
  running: AttemptRow | null;
  last: AttemptRow | null;
  asked: ApprovalRow | null;
}

const noTries = (): Tries => ({ count: 0, running: null, last: null, asked: null });
const UNTRIED = noTries();

function triesOf(tries: Map<number, Tries>, featureId: number): Tries {
  const of = tries.get(featureId) ?? noTries();
  tries.set(featureId, of);
  return of;
}

/** All parts that a card depends on. */
interface Parts {
  readonly feature: FeatureRow;
  readonly job: JobRow | undefined;
  readonly phase: PhaseRow | undefined;
  readonly approvalId: number | null;
  readonly held: string | null;
  readonly microUsd: number;
  readonly notes: number;
  readonly attempts: number;
  readonly startedAt: string | null;
  readonly todo: readonly TodoItem[];
  readonly executors: readonly string[];
  readonly route: Route | null;
  readonly place: CardPlace | null;
}

interface Made {
  readonly parts: Parts;
  readonly card: PanelCard;
}

/** Shortened for the card. The details have the whole text. */
export function shortened(text: string | null): string | null {
  return text === null || text.length <= MAX_REASON ? text : `${text.slice(0, MAX_REASON - 1)}…`;
}

function cardView({
  feature,
  job,
  phase,
  approvalId,
  held,
  microUsd,
  notes,
  attempts,
  startedAt,
  todo,
  executors,
  route,
  place,
}: Parts): PanelCard {
  return {
    id: feature.id,
    name: feature.name,
    category: feature.category,
    lane: approvalId === null ? feature.status : 'needs_you',
    status: feature.status,
    position: feature.position,
    jobId: feature.job_id,
    phaseId: phase?.id ?? null,
    phaseNumber: phase?.number ?? null,
    phaseTitle: phase?.title ?? null,
    retries: feature.retry_count,
    maxRetries: job?.options.maxRetries ?? MAX_RETRIES,
    held: shortened(held),
    failureReason: shortened(feature.failure_reason),
    approvalId,
    costUsd: microUsd / 1e6,
    notes,
    attempts,
    startedAt,
    todo: todoProgress(todo),
    executors,
    tried: executors.length > 1 ? feature.candidates.length : 0,
    ...(route === null ? {} : { route }),
    ...(place === null ? {} : { place }),
  };
}

function unchanged(a: Parts, b: Parts): boolean {
  return (
    a.feature === b.feature &&
    a.job?.options === b.job?.options &&
    a.phase?.number === b.phase?.number &&
    a.phase?.title === b.phase?.title &&
    a.approvalId === b.approvalId &&
    a.held === b.held &&
    a.microUsd === b.microUsd &&
    a.notes === b.notes &&
    a.attempts === b.attempts &&
    a.startedAt === b.startedAt &&
    a.todo === b.todo &&
    a.route === b.route &&
    isSamePlace(a.place, b.place) &&
    a.executors.join() === b.executors.join()
  );
}

function countTry(tries: Map<number, Tries>, row: AttemptRow, sign: 1 | -1): void {
  if (row.feature_id === null) return;
  const of = triesOf(tries, row.feature_id);
  of.count += sign;
  if (sign === 1 && row.status === 'running') of.running = row;
  if (sign === 1 && row.id >= (of.last?.id ?? 0)) of.last = row;
  if (sign === -1 && of.running === row) of.running = null;
}

/** Follows one state; `ledger` is up to date with it. */
export function cardMaker(): (state: State, ledger: Ledger) => readonly PanelCard[] {
  const tries = new Map<number, Tries>();
  const notes = new Map<number, number>();
  const followAttempts = followed<AttemptRow>((row, sign) => countTry(tries, row, sign));
  const followNotes = followed<NoteRow>(({ feature_id, superseded_by }, sign) => {
    if (feature_id !== null && superseded_by === null) notes.set(feature_id, (notes.get(feature_id) ?? 0) + sign);
  });
  const followQuestions = followed<ApprovalRow>((row, sign) => {
    const { kind, feature_id } = row;
    if (kind === 'pick' && feature_id !== null && sign === 1) triesOf(tries, feature_id).asked = row;
  });
  const made = new Map<number, Made>();
  return (state, ledger) => {
    atOnce(followAttempts(state.attempts.values()));
    atOnce(followNotes(state.notes.values()));
    atOnce(followQuestions(state.approvals.values()));
    const questions = featureApprovals(state);
    const held = holds(state);
    if (made.size > state.features.size) for (const id of made.keys()) if (!state.features.has(id)) made.delete(id);
    return inOrderOfWork(state, state.features.values()).map((feature) => {
      const { id } = feature;
      const tried = tries.get(id) ?? UNTRIED;
      const parts: Parts = {
        feature,
        job: feature.job_id === null ? undefined : state.jobs.get(feature.job_id),
        phase: feature.phase_id === null ? undefined : state.phases.get(feature.phase_id),
        approvalId: questions.get(id)?.id ?? null,
        held: held(feature),
        microUsd: settledIn(ledger.byFeature.get(id)),
        notes: notes.get(id) ?? 0,
        attempts: tried.count,
        startedAt: tried.running === null ? null : workingSince(tried.running),
        todo: openTodo(tried.last),
        executors: whoWorks(state, feature, tried),
        route: tried.last?.route ?? null,
        place: placeOf(state, tried.last),
      };
      const before = made.get(id);
      if (before !== undefined && unchanged(before.parts, parts)) return before.card;
      const card = cardView(parts);
      made.set(id, { parts, card });
      return card;
    });
  };
}
