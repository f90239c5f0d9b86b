/**
 * Subjects of questions to the steward. The event log and the rows hold a subject as a text, the `subject`: only this file writes and reads that
 * text.
 */
import type { ApprovalRow } from '../../shared/approval.ts';
import { ERROR_TRAITS, type ErrorCode } from '../../shared/errors.ts';
import type { State } from '../../shared/workspace/state.ts';
import { jobApprovals } from '../state/rows.ts';

/** Causes by which an attempt at a feature ends with a question. */
export const GAVE_UP_CAUSES = [
  // Another attempt would have the same result.
  'same_error',
  'same_verdict',
  'empty_diff',
  // Something outside the work is in the way.
  'tool_missing',
  'host_refused',
  'service_down',
  'credential_missing',
] as const;
export type GaveUpCause = (typeof GAVE_UP_CAUSES)[number];

export type About =
  | { readonly of: 'dirtyTree' }
  | { readonly of: 'unmergeable' }
  /** The setup commands of the brief or of lock files. */
  | { readonly of: 'setup' }
  /** `added`: the command that failed, if it is not of the brief or of a lock file. */
  | { readonly of: 'failedSetup'; readonly added: string | null }
  /** `command`: one run without a sandbox. `agent`: an agent's process without one. `registries`: a command that reaches the registries. */
  | { readonly of: 'command' | 'agent' | 'registries'; readonly command: string }
  /** No verify command can pass, because a tool is missing. Asked before any work. */
  | { readonly of: 'toolMissing' }
  /** `asks`: the plan asks questions, so that a yes needs words. */
  | { readonly of: 'plan'; readonly version: number; readonly asks: boolean }
  /** No usable plan after this number of attempts. `version` is null in logs of older versions. */
  | { readonly of: 'planner'; readonly version: number | null; readonly tries: number }
  /** The gate after a review, by the id of its attempt. `escalate`: the reviewer did not approve. */
  | { readonly of: 'phase' | 'escalate'; readonly review: number }
  | { readonly of: 'crashes'; readonly attempt: number; readonly times: number }
  | { readonly of: 'pick'; readonly featureId: number; readonly candidates: readonly number[] }
  /** `accept`: the result fails a verify command. */
  | { readonly of: 'merge' | 'accept'; readonly commit: string }
  | { readonly of: 'conflict'; readonly base: string; readonly ours: string }
  | { readonly of: 'mergeRefused'; readonly head: string; readonly id: number }
  /** `raiseTo` is part of the subject, so that an answer raises the limit to exactly the requested amount. Null doubles the limit. */
  | { readonly of: 'limit'; readonly limit: string; readonly id: number; readonly raiseTo: number | null }
  /** `provider`: the model refused. `failure`: something else that the job needs. */
  | { readonly of: 'provider' | 'failure'; readonly code: ErrorCode; readonly id: number }
  /** A worker asks in its own words. */
  | { readonly of: 'stuck' | 'blocked'; readonly featureId: number }
  | { readonly of: 'gaveUp'; readonly cause: GaveUpCause; readonly featureId: number }
  | { readonly of: 'workdir'; readonly path: string }
  /** An edit of PROJECT.md: `hash` covers the text and the definition that it changes. */
  | { readonly of: 'definition'; readonly hash: string }
  | { readonly of: 'relay'; readonly messageId: number }
  | { readonly of: 'project'; readonly projectId: string }
  | { readonly of: 'task'; readonly taskId: string; readonly stepId: number }
  /** No text that an engine wrote. */
  | { readonly of: 'other'; readonly text: string };

/** The text in the log and the rows. */
export function subjectOf(about: About): string {
  switch (about.of) {
    case 'dirtyTree':
      return 'dirty_tree';
    case 'unmergeable':
      return 'unmergeable';
    case 'setup':
      return 'setup';
    case 'failedSetup':
      return about.added === null ? 'setup_failed' : `setup_failed:${about.added}`;
    case 'command':
    case 'agent':
    case 'registries':
      return `${about.of}:${about.command}`;
    case 'toolMissing':
      return 'tool_missing:baseline';
    case 'plan':
      return `plan:${about.version}${about.asks ? ':questions' : ''}`;
    case 'planner':
      return about.version === null ? `planner:${about.tries}` : `planner:${about.version}:${about.tries}`;
    case 'phase':
    case 'escalate':
      return `${about.of}:${about.review}`;
    case 'crashes':
      return `crashes:${about.attempt}:${about.times}`;
    case 'pick':
      return `pick:${about.featureId}:${about.candidates.join(',')}`;
    case 'merge':
    case 'accept':
      return `${about.of}:${about.commit}`;
    case 'conflict':
      return `conflict:${about.base}:${about.ours}`;
    case 'mergeRefused':
      return `refused:${about.head}:${about.id}`;
    case 'limit':
      return `limit:${about.limit}:${about.id}${about.raiseTo === null ? '' : `:${about.raiseTo}`}`;
    case 'provider':
    case 'failure':
      return `${about.of}:${about.code}:${about.id}`;
    case 'stuck':
    case 'blocked':
      return `${about.of}:${about.featureId}`;
    case 'gaveUp':
      return `${about.cause}:${about.featureId}`;
    case 'workdir':
      return `workdir:${about.path}`;
    case 'definition':
      return `definition:${about.hash}`;
    case 'relay':
      return `relay:${about.messageId}`;
    case 'project':
      return `project:${about.projectId}`;
    case 'task':
      return `task:${about.taskId}:${about.stepId}`;
    case 'other':
      return about.text;
  }
}

/** Reads every text: `subjectOf` of the answer is that text again. */
export function aboutOf(text: string): About {
  const about = read(text);
  return about !== null && subjectOf(about) === text ? about : { of: 'other', text };
}

/** The result can be wrong if `subjectOf` did not write the text. */
function read(text: string): About | null {
  const colon = text.indexOf(':');
  if (colon === -1) return WORDS.find((about) => subjectOf(about) === text) ?? null;
  const [of, rest] = [text.slice(0, colon), text.slice(colon + 1)];
  const cause = GAVE_UP_CAUSES.find((one) => one === of);
  if (text === subjectOf(TOOL_MISSING)) return TOOL_MISSING;
  if (cause !== undefined) return { of: 'gaveUp', cause, featureId: numberOf(rest) };
  const parts = rest.split(':');
  const [first = '', second = ''] = parts;
  const last = rest.slice(rest.lastIndexOf(':') + 1);
  const butLast = rest.slice(0, -1 - last.length);
  switch (of) {
    case 'setup_failed':
      return { of: 'failedSetup', added: rest };
    case 'command':
    case 'agent':
    case 'registries':
      return { of, command: rest };
    case 'plan':
      return { of, version: numberOf(first), asks: parts.length > 1 };
    case 'planner':
      return parts.length === 1
        ? { of, version: null, tries: numberOf(first) }
        : { of, version: numberOf(first), tries: numberOf(second) };
    case 'phase':
    case 'escalate':
      return { of, review: numberOf(rest) };
    case 'crashes':
      return { of, attempt: numberOf(first), times: numberOf(second) };
    case 'pick':
      return { of, featureId: numberOf(first), candidates: second === '' ? [] : second.split(',').map(numberOf) };
    case 'merge':
    case 'accept':
      return { of, commit: rest };
    case 'conflict':
      return { of, base: first, ours: parts.slice(1).join(':') };
    case 'refused':
      return { of: 'mergeRefused', head: butLast, id: numberOf(last) };
    case 'limit':
      return { of, limit: first, id: numberOf(second), raiseTo: parts.length > 2 ? numberOf(last) : null };
    case 'provider':
    case 'failure':
      return isErrorCode(first) ? { of, code: first, id: numberOf(second) } : null;
    case 'stuck':
    case 'blocked':
      return { of, featureId: numberOf(rest) };
    case 'workdir':
      return { of, path: rest };
    case 'definition':
      return { of, hash: rest };
    case 'relay':
      return { of, messageId: numberOf(rest) };
    case 'project':
      return { of, projectId: rest };
    case 'task':
      return { of, taskId: butLast, stepId: numberOf(last) };
    default:
      return null;
  }
}

const TOOL_MISSING: About = { of: 'toolMissing' };
const WORDS: readonly About[] = [
  { of: 'dirtyTree' },
  { of: 'unmergeable' },
  { of: 'setup' },
  { of: 'failedSetup', added: null },
];

/** Parses a number. For text that is not a number it returns a value that is written as another text. */
function numberOf(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? number : -1;
}

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_TRAITS, text);

/** The subject of a question. */
export const askedOf = ({ subject }: Pick<ApprovalRow, 'subject'>): About => aboutOf(subject);

/** The failure that a question is about. Null if it is about something else. */
export function failureAsked(asked: Pick<ApprovalRow, 'subject'>): ErrorCode | null {
  const about = askedOf(asked);
  return about.of === 'provider' || about.of === 'failure' ? about.code : null;
}

/** Whether a question is about exactly this. */
export const isAbout = ({ subject }: Pick<ApprovalRow, 'subject'>, about: About): boolean =>
  subject === subjectOf(about);

/** The newest question of a job about exactly this. */
export function approvalOn(state: State, jobId: string, about: About): ApprovalRow | undefined {
  const subject = subjectOf(about);
  return jobApprovals(state, jobId).findLast((row) => row.subject === subject);
}

/** The subject of a question of kind `limit`. `raiseTo` is null if the question names no amount. */
export function limitAskedAbout(subject: string): { readonly limit: string; readonly raiseTo: number | null } {
  const about = aboutOf(subject);
  return about.of === 'limit' ? about : { limit: 'job', raiseTo: null };
}
