/**
 * Decides the delivery of a project's message: it concerns no other project, is relayed word for word, or leads to a question. A function of the
 * message and of earlier events, so that a restart after a crash makes the same decision.
 */
import { DEFAULT_PROJECT, MAIN_PROJECT, type MessageRow, type ProjectRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { askedOf, isAbout } from '../approval/about.ts';
import { projectMessages } from '../state/rows.ts';
import { isAwaiting } from './projectAfter.ts';
import { repliesToMain } from './replies.ts';

/**
 * `rules`: clear cases are relayed; the rest goes to the main agent during a conversation with it, else to the steward. `ask`: the steward is asked
 * about each message. `main`: the main agent decides about each message. `off`: no message is relayed automatically.
 */
export type RelayMode = 'rules' | 'ask' | 'main' | 'off';

const NOBODY = 'nobody';

export type RelayStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'pass'; readonly to: string }
  | { readonly kind: 'ask'; readonly question: string; readonly choices: readonly string[] }
  /** Enough of this project is asked already: when one of these questions is answered. */
  | { readonly kind: 'later' };

const MINUTE_MS = 60_000;
/** An answer within this time continues the chain of the message that it answers. */
const CHAIN_MS = 60 * MINUTE_MS;
const MOST_HOPS = 3;
const SAME_TEXT_MS = 24 * 60 * MINUTE_MS;
const RATE_MS = 60 * MINUTE_MS;
const MOST_IN_RATE = 10;
const MAIN_LISTENS_MS = 15 * MINUTE_MS;
const MOST_QUESTIONS = 5;
const MOST_CHOICES = 20;

const NONE: RelayStep = { kind: 'none' };

/** Whether `before` was sent at most `ms` before `message`. */
function within(message: MessageRow, before: MessageRow, ms: number): boolean {
  return before.id < message.id && Date.parse(message.at) - Date.parse(before.at) <= ms;
}

function takesMessages({ status }: ProjectRow): boolean {
  return status === 'active' || status === 'suspended';
}

/** Names of the other projects that a project may name as concerned. */
export function otherProjects(state: State, projectId: string): string[] {
  return [...state.projects.values()]
    .filter((row) => row.id !== projectId && row.id !== MAIN_PROJECT && takesMessages(row))
    .map(({ id }) => id)
    .sort();
}

/** Other projects that could receive the message when it was sent. */
function others(state: State, { project_id, at }: MessageRow): ProjectRow[] {
  return [...state.projects.values()].filter(
    (row) => row.id !== project_id && row.id !== MAIN_PROJECT && row.created_at <= at && takesMessages(row),
  );
}

/** Projects whose name is a separate word of the text. `default` counts as an ordinary word. */
function mentioned(text: string, known: readonly ProjectRow[]): string[] {
  const words = new Set(text.toLowerCase().match(/[\w-]+/g));
  return known.map(({ id }) => id).filter((id) => id !== DEFAULT_PROJECT && words.has(id));
}

/** Whether the message was relayed, or a question was asked about it. A reply reaches the main agent in any case, so that does not count. */
export function isHandled(state: State, message: MessageRow): boolean {
  const { id } = message;
  const isReply = repliesToMain(state, message);
  for (const row of state.messages.values()) {
    if (row.relayed_from === id && !(isReply && row.project_id === MAIN_PROJECT)) return true;
  }
  return isAsked(state, message);
}

/** Whether the steward was asked about it. */
function isAsked(state: State, { id }: MessageRow): boolean {
  return [...state.approvals.values()].some((row) => isAbout(row, { of: 'relay', messageId: id }));
}

/** Messages that were relayed before it, to this project if one is named. */
function passedBefore(state: State, message: MessageRow, to: string | null): MessageRow[] {
  return [...state.messages.values()].flatMap((row) => {
    if (row.relayed_from === null || (to !== null && row.project_id !== to)) return [];
    const origin = state.messages.get(row.relayed_from);
    return origin !== undefined && origin.id < message.id ? [origin] : [];
  });
}

/** Number of consecutive hops from one project's message to another's. 0 if a person, a job or the project itself started the chain. */
export function hopsOf(state: State, message: MessageRow): number {
  let hops = 0;
  for (let at = message; hops <= MOST_HOPS; hops++) {
    const { id, project_id } = at;
    const last = projectMessages(state, project_id).findLast((row) => row.direction === 'in' && row.id < id);
    const origin = last?.relayed_from == null ? undefined : state.messages.get(last.relayed_from);
    if (origin === undefined || !within(at, origin, CHAIN_MS)) break;
    at = origin;
  }
  return hops;
}

/** Returns why the steward must be asked although the receiver is clear, or null if the message may be relayed. */
function loopReason(state: State, message: MessageRow, to: string): string | null {
  if (hopsOf(state, message) >= MOST_HOPS) return 'these projects have answered each other several times in a row';
  const recent = passedBefore(state, message, to).filter(
    (origin) => origin.project_id === message.project_id && within(message, origin, RATE_MS),
  );
  return recent.length >= MOST_IN_RATE ? `it has sent many messages to ${to} within an hour` : null;
}

function isRepeated(state: State, message: MessageRow, to: string): boolean {
  return passedBefore(state, message, to).some(
    (origin) =>
      origin.project_id === message.project_id && origin.text === message.text && within(message, origin, SAME_TEXT_MS),
  );
}

/** Whether a person is talking to the main agent: then it is asked first, and the person sees its decision. */
function mainListens(state: State, message: MessageRow): boolean {
  return [...state.messages.values()].some(
    (row) =>
      row.project_id === MAIN_PROJECT &&
      row.direction === 'in' &&
      row.sender === 'steward' &&
      within(message, row, MAIN_LISTENS_MS),
  );
}

function mainWorks(state: State): boolean {
  const main = state.projects.get(MAIN_PROJECT);
  return main?.status === 'active' && main.parked === null;
}

function asking(state: State, message: MessageRow, why: string, choices: readonly string[]): RelayStep {
  const open = [...state.approvals.values()].filter(
    (row) => row.kind === 'relay' && row.status === 'pending' && row.project_id === message.project_id,
  );
  if (open.length >= MOST_QUESTIONS) return { kind: 'later' };
  return {
    kind: 'ask',
    question: `Which project should receive this message of ${message.project_id}? Asked because ${why}.`,
    choices,
  };
}

/** The projects that a message may concern, and why that is not certain. `null` is certain. */
interface Concerned {
  readonly projects: readonly string[];
  readonly unsure: string | null;
}

function concerned(state: State, message: MessageRow): Concerned {
  const known = others(state, message);
  const named = message.concerns?.trim().toLowerCase() ?? '';
  const sure = known.find(({ id }) => id === named);
  if (sure !== undefined) return { projects: [sure.id], unsure: null };
  const projects = mentioned(message.text, known);
  if (named !== '' && named !== message.project_id && named !== MAIN_PROJECT && known.length > 0) {
    const unsure = 'it names a project that there is not, or that takes nothing more';
    return { projects: projects.length > 0 ? projects : known.map(({ id }) => id), unsure };
  }
  return { projects, unsure: 'it mentions another project without naming it as concerned' };
}

/** Named projects come first; otherwise "no project" is the default. */
function choicesOf(state: State, message: MessageRow, projects: readonly string[]): readonly string[] {
  const all = others(state, message).length;
  const some = projects.slice(0, MOST_CHOICES);
  return projects.length === all && all > 1 ? [NOBODY, ...some] : [...some, NOBODY];
}

export function relayStep(state: State, message: MessageRow, mode: RelayMode): RelayStep {
  const { direction, sender, project_id } = message;
  // Messages of the engine about a project are for people.
  if (mode === 'off' || direction !== 'out' || sender !== 'project' || project_id === MAIN_PROJECT) return NONE;
  if (isHandled(state, message)) return NONE;
  const { projects, unsure } = concerned(state, message);
  const open = projects.filter((to) => !isRepeated(state, message, to));
  const [first] = open;
  if (first === undefined) return NONE;
  const choices = choicesOf(state, message, open);
  const loop = open.map((to) => loopReason(state, message, to)).find((reason) => reason !== null);
  if (loop != null) return asking(state, message, loop, choices);
  if (mode === 'ask') return asking(state, message, 'you want to be asked about each message', choices);
  if (mode === 'rules' && unsure === null) return { kind: 'pass', to: first };
  if (mainWorks(state) && (mode === 'main' || mainListens(state, message))) {
    return repliesToMain(state, message) ? NONE : { kind: 'pass', to: MAIN_PROJECT };
  }
  return asking(state, message, unsure ?? 'the main agent is not available to decide', choices);
}

export interface AnsweredRelay {
  readonly message: MessageRow;
  readonly to: string;
}

/** Answered questions about messages that were not relayed yet. */
export function answeredRelays(state: State): AnsweredRelay[] {
  const answered = [...state.approvals.values()].flatMap((row) => {
    if (row.kind !== 'relay' || row.status !== 'approved' || row.choice === null || row.choice === NOBODY) return [];
    const about = askedOf(row);
    const message = about.of === 'relay' ? state.messages.get(about.messageId) : undefined;
    const to = state.projects.get(row.choice);
    return message === undefined || to === undefined || !takesMessages(to) ? [] : [{ message, to: to.id }];
  });
  if (answered.length === 0) return [];
  const told = new Set([...state.messages.values()].map((row) => `${row.relayed_from} ${row.project_id}`));
  return answered.filter(({ message, to }) => !told.has(`${message.id} ${to}`));
}

/** Whether the main agent's conversation was passed this message. */
export function isWithMain(state: State, { id }: MessageRow): boolean {
  return projectMessages(state, MAIN_PROJECT).some((row) => row.relayed_from === id);
}

/** Describes the delivery of a message to the project that sent it. */
export function deliveryText(state: State, projectId: string, id: number, mode: RelayMode): string {
  const message = state.messages.get(id);
  if (message?.project_id !== projectId) return 'Sent.';
  return ['Sent: the steward and the main agent get it.', ...passedText(state, message, mode)].join(' ');
}

function passedText(state: State, message: MessageRow, mode: RelayMode): string[] {
  const passed = [...state.messages.values()].find(
    (row) => row.relayed_from === message.id && row.project_id !== MAIN_PROJECT,
  );
  if (passed !== undefined) return [deliveredTo(state, passed.project_id, message)];
  if (isAsked(state, message)) return [ASKED];
  const step = relayStep(state, message, mode);
  if (step.kind === 'ask' || step.kind === 'later') return [ASKED];
  if (step.kind === 'pass') return [step.to === MAIN_PROJECT ? MAIN_DECIDES : deliveredTo(state, step.to, message)];
  const { concerns } = message;
  if (concerns === null) return [];
  if (mode === 'off') return [`${concerns} does not get it: messages between projects are switched off here.`];
  if (repliesToMain(state, message) || isWithMain(state, message)) return [MAIN_DECIDES];
  return [`${concerns} was given the same text within a day and does not get it again.`];
}

const ASKED = 'The steward is asked which other project gets it.';
const MAIN_DECIDES = 'The main agent decides whether another project gets it.';

function deliveredTo(state: State, id: string, { level }: MessageRow): string {
  const row = state.projects.get(id);
  const isRunning = row?.status === 'active' && row.parked === null;
  if (row !== undefined && isAwaiting(row.parked)) return `Delivered to ${id}, which ${row.parked} and reads it then.`;
  if (isRunning && level === 'info') return `Delivered to ${id}, which reads it with its next turn.`;
  return isRunning ? `Delivered to ${id}.` : `Delivered to ${id}, which reads it when it resumes.`;
}
