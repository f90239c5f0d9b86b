/** Computes the assignment of a worker for an attempt, and the conversation to use. */

import { executorFor, isOfOthers, isSideBySide } from '../../../core/agent/executors.ts';
import { type PastAttempt, pastAttempts } from '../../../core/job/history/attemptHistory.ts';
import { continuesConversation, isLastTry } from '../../../core/job/history/conversationChoice.ts';
import { type Decisions, decisionsOf } from '../../../core/job/history/decisions.ts';
import { whyOpen } from '../../../core/job/history/reopening.ts';
import { planLines, planProgress } from '../../../core/job/plan/planLines.ts';
import { selectNotes } from '../../../core/note/noteSelection.ts';
import { planId } from '../../../core/state/planId.ts';
import { featureAttempts, jobPhases } from '../../../core/state/rows.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { SessionSpec } from '../../session/ports.ts';
import { changedLimits, changedSections } from '../../session/prompts/known.ts';
import {
  workerAgain,
  workerNextFeature,
  workerOpening,
  workerPhase,
  workerReturned,
} from '../../session/prompts/worker.ts';
import type { JobContext } from '../context.ts';
import { type FactsPorts, folderInstructions } from '../jobFacts.ts';
import { limitsNow, sharedSpec } from '../roleSpec.ts';
import { leftDiff, type StartingTree, startingTree } from '../tree/startingTree.ts';
import { jobHead } from '../tree/tree.ts';

export interface WorkerAssignment {
  /** Opens a conversation. */
  readonly spec: SessionSpec;
  /** Continues a conversation about another feature of the phase. */
  readonly next: Continues;
  /** Continues the conversation of the last attempt at this feature. */
  readonly again: Continues;
  /** Continues the conversation of an attempt that the merge queue returned. */
  readonly returned: Continues;
  readonly notes: readonly number[];
  readonly tree: StartingTree;
}

/** Returns the next message of a conversation that was given these texts. `others`: paths that other features changed since it saw the tree. */
export type Continues = (texts: readonly string[], others?: readonly string[]) => string;

/** Number of the attempt: the next one, or an open one. */
interface Which {
  readonly number: number;
  /** The last accepted commit at its start. */
  readonly accepted: string;
  /** For a conversation that continues the attempt: its work so far. */
  readonly soFar?: { readonly tree: StartingTree; readonly todo: AttemptRow['todo'] };
}

type AssignmentPorts = Pick<JobContext, 'clock' | 'projectBody' | 'store'> & FactsPorts;

/** The assignment of the worker: the same text for the session and for the preview. */
export async function workerAssignment(
  context: AssignmentPorts,
  job: JobRow,
  phase: PhaseRow,
  feature: FeatureRow,
  which: Which = { number: nextAttempt(context.store.state, feature), accepted: jobHead(job) },
): Promise<WorkerAssignment> {
  const { state } = context.store;
  const known = [...state.notes.values()].filter((note) => !isOfOthers(state, feature, note));
  const { ids, notes } = selectNotes(feature, known);
  const tree = which.soFar?.tree ?? (await startingTree(context, job, feature, which.number, which.accepted));
  const past = isSideBySide(feature) ? [] : pastAttempts(state, feature, which.number);
  const plan = planLines(state, job);
  const progress = planProgress(state, job, feature);
  const decisions = decisionsOf(state, job.id);
  const executor = executorFor(job, 'worker', feature);
  const instructions = executor === BUILT_IN ? await folderInstructions(context, job, feature, tree.changed) : [];
  const isLast = !isSideBySide(feature) && isLastTry(job, feature);
  const limits = limitsNow(context, state, job, { isAttempt: true, executor });
  const returns = featureAttempts(state, feature.id).find((row) => row.number === which.number)?.returns ?? [];
  const begun = { phase, feature, attempt: which.number, returns, isLast, limits, notes, feedback: feature.feedback };
  const reopened = whyOpen(state, feature, which.number);
  const given = { ...begun, reopened, tree, past, progress, instructions };
  const projectBody = await context.projectBody(job.project_id);
  const earlier = jobPhases(state, job.id).filter((row) => row.number < phase.number);
  const diff = past.length === 0 && which.soFar === undefined ? '' : await leftDiff(context, job, tree);
  const { findings, assumptions } = state.plans.get(planId(job.id, job.plan_version))?.plan ?? {};
  const before = featureAttempts(state, feature.id).filter((row) => row.number < which.number);
  const todo = which.soFar?.todo ?? [];
  const opening = workerOpening({ diff, decisions, todo, ...given, past: withoutDecided(past, before, decisions) });
  const handover = { findings, assumptions };
  const about = workerPhase({ phase, earlier, plan });
  const spec = await sharedSpec(context, 'worker', job, { executor, projectBody, handover, phase: about, opening });
  const next: Continues = (texts, others = []) => {
    const changed = { installed: changedSections(job, plan, texts), limits: changedLimits(limits, texts) };
    return workerNextFeature({ ...given, tree: { ...tree, others }, decisions, ...changed });
  };
  const again: Continues = (texts, others = []) =>
    workerAgain({
      ...given,
      tree: { ...tree, others },
      decisions: since(decisions, before.at(-1)),
      installed: changedSections(job, [], texts),
    });
  const returned: Continues = (texts) =>
    workerReturned({
      ...given,
      installed: changedSections(job, [], texts),
      decisions: since(decisions, before.at(-1)),
    });
  return { spec, next, again, returned, notes: ids, tree };
}

/** Decisions that a conversation does not hold yet. The answer to the question that the attempt ended with is stated apart. */
function since(decisions: Decisions, last: AttemptRow | undefined): Decisions {
  const shown = decisions.shown.filter(({ askedAt }) => askedAt !== last?.ended_at);
  return { shown: shown.filter(({ at }) => at > (last?.started_at ?? '')), leftOut: 0 };
}

/** Past attempts that refer to a decision instead of repeating its question and answer. */
function withoutDecided(
  past: readonly PastAttempt[],
  rows: readonly AttemptRow[],
  { shown }: Decisions,
): readonly PastAttempt[] {
  return past.map((attempt) => {
    const ended = rows.find(({ number }) => number === attempt.number)?.ended_at;
    const decision = attempt.question === null ? undefined : shown.find(({ askedAt }) => askedAt === ended);
    if (decision === undefined) return attempt;
    return {
      ...attempt,
      question: null,
      answer: `It asked question ${decision.id}: see the decisions of the steward.`,
    };
  });
}

function nextAttempt(state: State, feature: FeatureRow): number {
  return (featureAttempts(state, feature.id).at(-1)?.number ?? 0) + 1;
}

/** The session that made the last attempt at the feature, if this attempt continues it unless it is too long; else null. */
export function continuedSession(
  context: Pick<JobContext, 'store' | 'clock'>,
  job: JobRow,
  feature: FeatureRow,
  /** Model of the next attempt. */
  model: string,
): number | null {
  const { state } = context.store;
  if (isSideBySide(feature)) return null;
  const last = featureAttempts(state, feature.id).at(-1);
  const session = last === undefined ? undefined : state.sessions.get(last.session_id);
  const executor = executorFor(job, 'worker', feature);
  const given = { job, feature, last, session, executor, model, now: context.clock.now() };
  return session !== undefined && continuesConversation(given) ? session.id : null;
}
