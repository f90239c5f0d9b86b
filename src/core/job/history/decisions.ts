/** Lists the answers of the steward that later sessions of a job must know. Pure, so that the same rows always give the same prompt. */
import type { ApprovalKind, ApprovalRow } from '../../../shared/approval.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { needsAnswer, planAsked } from '../../approval/stewardship.ts';
import { jobApprovals } from '../../state/rows.ts';
import { cutText } from '../../text/cutText.ts';

/** Characters of all decisions together, of one answer and of one question. */
const MAX_CHARACTERS = 8_000;
const MAX_ANSWER = 3_000;
const MAX_QUESTION = 600;

export interface Decision {
  /** Id of the question. */
  readonly id: number;
  /** The subject of the question, e.g. `feature "Parser"`, or a plan that was replaced. Null if it was the job. */
  readonly about: string | null;
  readonly question: string;
  /** `answered`: approved in words. */
  readonly outcome: 'approved' | 'rejected' | 'answered';
  readonly choice: string | null;
  /** The words of the answer. Null if there were none. */
  readonly answer: string | null;
  readonly by: NonNullable<ApprovalRow['decided_by']>;
  /** ISO times. */
  readonly askedAt: string;
  readonly at: string;
}

export interface Decisions {
  /** In chronological order. */
  readonly shown: readonly Decision[];
  /** Number of older decisions for which there was no room. */
  readonly leftOut: number;
}

/** Money and access to the model: no session can do anything about these. */
const NOT_FOR_MODELS: readonly ApprovalKind[] = ['limit', 'provider'];
/** Kinds of questions whose choice affects the further work, even without words. */
const CHOSEN: readonly ApprovalKind[] = ['dirty_tree', 'pick', 'conflict'];
/** Kinds whose question is the same for every command. The detail names the commands. */
const OF_COMMANDS: readonly ApprovalKind[] = ['command', 'setup'];

/** The newest decisions that fit. A plain yes is left out, because the state of the job shows it. */
export function decisionsOf(state: State, jobId: string): Decisions {
  const told = jobApprovals(state, jobId).filter(isTold).sort(byTime);
  const shown: Decision[] = [];
  let left = MAX_CHARACTERS;
  for (const row of told.toReversed()) {
    const decision = decisionOf(state, row);
    left -= decision.question.length + (decision.answer?.length ?? 0);
    if (left < 0) break;
    shown.unshift(decision);
  }
  return { shown, leftOut: told.length - shown.length };
}

function isTold(row: ApprovalRow): boolean {
  const { kind, status, feedback, choice } = row;
  if ((status !== 'approved' && status !== 'rejected') || NOT_FOR_MODELS.includes(kind)) return false;
  if (status === 'rejected' || needsAnswer(row) || (feedback ?? '').trim() !== '') return true;
  return choice !== null && CHOSEN.includes(kind);
}

function decisionOf(state: State, row: ApprovalRow): Decision {
  const { id, status, choice, feedback, decided_by } = row;
  const answer = feedback?.trim() ?? '';
  return {
    id,
    about: aboutOf(state, row),
    question: askedText(state, row),
    outcome: status === 'rejected' ? 'rejected' : answer === '' ? 'approved' : 'answered',
    choice,
    answer: answer === '' ? null : cutText(answer, MAX_ANSWER),
    by: decided_by ?? 'steward',
    askedAt: row.requested_at,
    at: row.decided_at ?? row.requested_at,
  };
}

function askedText(state: State, row: ApprovalRow): string {
  const { kind, question, detail } = row;
  if (OF_COMMANDS.includes(kind)) return cutText(`${question}\n${detail}`.trim(), MAX_QUESTION);
  const questions = planAsked(state, row)?.plan.questions ?? [];
  const asked = questions.map((text, at) => `\n${at + 1}. ${text}`).join('');
  // An answer such as "1: yes" makes sense only with the whole questions.
  return cutText(`${question}${asked}`.trim(), asked === '' ? MAX_QUESTION : MAX_ANSWER);
}

function aboutOf(state: State, row: ApprovalRow): string | null {
  const { feature_id, phase_id } = row;
  const earlier = replacedPlan(state, row);
  if (earlier !== null) return earlier;
  const feature = feature_id === null ? undefined : state.features.get(feature_id);
  if (feature !== undefined) return `feature ${JSON.stringify(feature.name)}`;
  const phase = phase_id === null ? undefined : state.phases.get(phase_id);
  return phase === undefined ? null : `phase ${JSON.stringify(phase.title)}`;
}

/** A rejected plan must not read as if the plan that is carried out had been rejected. */
function replacedPlan(state: State, row: ApprovalRow): string | null {
  const asked = planAsked(state, row);
  const job = asked === undefined ? undefined : state.jobs.get(asked.job_id);
  if (asked === undefined || row.status !== 'rejected' || job?.plan_accepted !== true) return null;
  return `version ${asked.version} of the plan; a later version was accepted`;
}

const byTime = (a: ApprovalRow, b: ApprovalRow): number => {
  const [one = '', other = ''] = [a.decided_at ?? a.requested_at, b.decided_at ?? b.requested_at];
  return one === other ? a.id - b.id : one < other ? -1 : 1;
};
