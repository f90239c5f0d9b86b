/** Formats a wait for people: the reason, the end, and the actions available now. */
import type { Clock } from '../../shared/clock.ts';
import type { WaitAction, Waiter, Waiting } from '../../shared/waiting.ts';
import { duration, moment } from '../text/format.ts';
import { shellWord } from '../text/shell.ts';
import { visibleLine } from '../text/visible.ts';
import { type Context, command } from './context.ts';

/** The waiting object. */
export interface Subject {
  readonly of: Waiter;
  readonly id: string;
  readonly projectId: string;
}

/** A shorter wait needs no word about its beginning. */
const LONG_MS = 60_000;

/** The reason and the end, without the actions. */
export function whyWaiting({ code, reason, since, until }: Waiting, clock: Clock): string {
  const left = until === null ? 0 : Date.parse(until) - clock.now();
  const at = until === null || left <= 0 ? null : `${moment(until, clock)} (${duration(left)})`;
  const begun = since === null || clock.now() - Date.parse(since) < LONG_MS ? '' : `, since ${moment(since, clock)}`;
  const why = reason === '' ? '' : `: ${visibleLine(reason)}`;
  switch (code) {
    case 'question':
      return `Needs your input${why}`;
    case 'paused':
      return `Paused${begun}${why}`;
    case 'parked':
      return `Parked${why}`;
    case 'queue':
      return `Waiting for its turn${begun}${why}`;
    case 'retry':
      return `Waiting to retry${at === null ? '' : ` at ${at}`}${why}`;
    case 'time':
      return `Waiting${at === null ? '' : ` until ${at}`}, as set by its step`;
    case 'limit':
    case 'provider':
      return `Waiting${at === null ? ' for the next attempt' : ` until ${at}`}${begun}${why}`;
  }
}

/** The whole of it in one line, with the commands. */
export function waitingText(context: Context, waiting: Waiting, subject: Subject): string {
  const ways = waiting.now.flatMap((action) => {
    const how = howTo(action, waiting, subject);
    return how === null ? [] : [`${WORDS[action]}: ${command(context, how)}`];
  });
  const sentences = [
    whyWaiting(waiting, context.deps.clock),
    // The time is only that of the next attempt, which may fail too.
    ...(waiting.code === 'provider' ? ['It is retried automatically'] : []),
    ...(ways.length === 0 ? [] : [`You can ${ways.join('; or ')}`]),
  ];
  return sentences.reduce((before, next) => `${before}${/[.?!]$/.test(before) ? '' : '.'} ${next}`);
}

interface One {
  readonly subject: Subject;
  readonly waiting: Waiting | null;
}

/** Lines below a list, one for each wait. Pauses and questions are in the list itself, or are not waits of a job or task. */
export function waitLines(context: Context, all: readonly One[]): string[] {
  return all.flatMap(({ subject, waiting }) =>
    waiting === null || waiting.code === 'paused'
      ? []
      : [context.paint(`${visibleLine(subject.id)}: ${waitingText(context, waiting, subject)}`, 'warning')],
  );
}

const WORDS: Readonly<Record<WaitAction, string>> = {
  try_now: 'try now',
  answer: 'answer',
  resume: 'resume it',
  raise_limit: 'raise the limit',
};

/** The words of a command; null if no command does it. */
function howTo(
  action: WaitAction,
  { code, reason, approvalId }: Waiting,
  { of, id, projectId }: Subject,
): string | null {
  switch (action) {
    case 'answer':
      return approvalId === null ? 'approvals' : `approve ${approvalId}`;
    case 'raise_limit':
      return raised(reason, { of, id, projectId });
    case 'try_now':
      return code === 'parked' ? `project unpark ${shellWord(projectId)}` : `${of} resume ${shellWord(id)}`;
    case 'resume':
      return `${of} resume ${shellWord(id)}`;
  }
}

/** Recognizes the texts of `core/money/limitWords.ts`. */
function raised(reason: string, { of, id, projectId }: Subject): string | null {
  const words = /^the (.+?) limit of /.exec(reason)?.[1];
  const project = shellWord(projectId);
  switch (words) {
    case 'day':
      return 'limits --daily USD';
    case 'call':
    case 'project':
    case 'total':
      return `limits --${words} USD`;
    case 'job':
      return of === 'job' ? `job budget USD ${id}` : null;
    case "project's daily":
      return `project limits ${project} --daily USD`;
    case "project's":
      return `project limits ${project} --total USD`;
    case "project's token":
      return `project limits ${project} --tokens N`;
    case "project's tool call":
      return `project limits ${project} --tool-calls N`;
    default:
      return null;
  }
}
