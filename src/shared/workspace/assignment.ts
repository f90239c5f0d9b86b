/**
 * The first line of every user message that gives a session an assignment. One form for the model, for people who read a transcript, and for the
 * simulated model, which answers from the request alone.
 */
import { MAIN_PROJECT } from '../project/projects.ts';

export type Assignment =
  | { readonly role: 'planner'; readonly attempt: number }
  | {
      readonly role: 'worker';
      readonly phase: string;
      readonly feature: string;
      readonly featureId: number;
      readonly attempt: number;
      /** Number of returns from the merge queue. Absent if there was none. */
      readonly returns?: number;
    }
  | { readonly role: 'reviewer'; readonly phase: string; readonly feature: string | null; readonly attempt: number }
  | { readonly role: 'summarizer'; readonly phase: string; readonly attempt: number };

/** e.g. `Assignment: worker | phase "Core" | feature 5 "push and pop" | attempt 2` */
export function formatAssignment(assignment: Assignment): string {
  const parts: string[] = [assignment.role];
  if (assignment.role !== 'planner') parts.push(`phase ${JSON.stringify(assignment.phase)}`);
  if (assignment.role === 'worker') parts.push(`feature ${assignment.featureId} ${JSON.stringify(assignment.feature)}`);
  if (assignment.role === 'reviewer' && assignment.feature !== null)
    parts.push(`feature ${JSON.stringify(assignment.feature)}`);
  parts.push(`attempt ${assignment.attempt}`);
  if (assignment.role === 'worker' && assignment.returns !== undefined) parts.push(`return ${assignment.returns}`);
  return `Assignment: ${parts.join(' | ')}`;
}

/** The number of digits that a JavaScript number represents exactly. */
const NUMBER = String.raw`\d{1,15}`;
const STRING = String.raw`("(?:[^"\\]|\\.)*")`;
const LINE = new RegExp(
  String.raw`^Assignment: (planner|worker|reviewer|summarizer)(?: \| phase ${STRING})?(?: \| feature (?:(${NUMBER}) )?${STRING})? \| attempt (${NUMBER})(?: \| return (${NUMBER}))?$`,
);

function unquoted(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    // JSON does not allow this escape: the engine did not write the line
    return null;
  }
}

/** Reads the line back. Returns null if it is not an assignment. */
export function parseAssignment(line: string): Assignment | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [, role, phaseText, id, featureText, attemptText, returnText] = match;
  const attempt = Number(attemptText);
  if (role === 'planner') return { role, attempt };
  const phase = phaseText === undefined ? null : unquoted(phaseText);
  const feature = featureText === undefined ? null : unquoted(featureText);
  if (phase === null || (feature === null && featureText !== undefined)) return null;
  if (role === 'worker') {
    if (feature === null || id === undefined) return null;
    const returns = returnText === undefined ? {} : { returns: Number(returnText) };
    return { role, phase, feature, featureId: Number(id), attempt, ...returns };
  }
  if (returnText !== undefined) return null;
  if (role === 'reviewer') return { role, phase, feature, attempt };
  return role === 'summarizer' ? { role, phase, attempt } : null;
}

/** The assignment at the start of a user message. Null if the message starts with other text. */
export function assignmentOf(text: string): Assignment | null {
  return parseAssignment(text.split('\n', 1)[0] ?? '');
}

/** The first line of a message that gives a session of a project, not of a job, an assignment. */
export type ProjectTurn =
  /** Messages that a project's conversation takes, or the main agent's: that project is `main`. Ascending, never empty. */
  | { readonly kind: 'messages'; readonly project: string; readonly ids: readonly number[] }
  /** An assignment for a subagent, by a session of this project or of its job. `session` is null in a line of an older version. */
  | { readonly kind: 'subagent'; readonly project: string; readonly session: number | null }
  /** The conversation must be summarized. */
  | { readonly kind: 'summary'; readonly project: string };

/** e.g. `[project web-ui message 3,4]`, `[main message 7]`, `[task for a subagent from session 12 of project web-ui]`, `[summary of web-ui]` */
export function formatProjectTurn(turn: ProjectTurn): string {
  switch (turn.kind) {
    case 'messages': {
      const who = turn.project === MAIN_PROJECT ? MAIN_PROJECT : `project ${turn.project}`;
      return `[${who} message ${turn.ids.join(',')}]`;
    }
    case 'subagent':
      return turn.session === null
        ? `[subagent of ${turn.project}]`
        : `[task for a subagent from session ${turn.session} of project ${turn.project}]`;
    case 'summary':
      return `[summary of ${turn.project}]`;
  }
}

const MESSAGES_LINE = new RegExp(String.raw`^\[(?:main|project ([^\]\s]+)) message (${NUMBER}(?:,${NUMBER})*)\]$`);
const SUBAGENT_LINE = new RegExp(String.raw`^\[task for a subagent from session (${NUMBER}) of project ([^\]\s]+)\]$`);
const OF_LINE = /^\[(subagent|summary) of ([^\]\s]+)\]$/;

/** Reads the line back. Returns null if it is not a turn. */
export function parseProjectTurn(line: string): ProjectTurn | null {
  const messages = MESSAGES_LINE.exec(line);
  if (messages?.[2] !== undefined) {
    return { kind: 'messages', project: messages[1] ?? MAIN_PROJECT, ids: messages[2].split(',').map(Number) };
  }
  const asked = SUBAGENT_LINE.exec(line);
  if (asked?.[2] !== undefined) return { kind: 'subagent', project: asked[2], session: Number(asked[1]) };
  const of = OF_LINE.exec(line);
  if (of?.[2] === undefined) return null;
  const [, kind, project] = of;
  return kind === 'subagent' ? { kind, project, session: null } : { kind: 'summary', project };
}

/** Whether a user message gives a session a new assignment: its limits are counted from there. */
export function beginsAssignment(text: string): boolean {
  return assignmentOf(text) !== null || parseProjectTurn(text.split('\n', 1)[0] ?? '') !== null;
}

/** The start of the message that asks a session for the summary that a fresh conversation begins with. */
export const HANDOVER_REQUEST = 'Engine: this conversation ends now, and a fresh one continues your work.';

export const isHandoverRequest = (text: string): boolean => text.startsWith(HANDOVER_REQUEST);
