/** A conversation with the main agent at a terminal: messages of the agent and of projects appear above the input line. */

import { openQuestions } from '../../../core/approval/sameCause.ts';
import { standsStill } from '../../../core/job/view/jobStatus.ts';
import { unfinishedConversations } from '../../../core/project/conversations.ts';
import { asItRuns, projectViews, spentToday } from '../../../core/project/projectView.ts';
import { projectMessages } from '../../../core/state/rows.ts';
import { ACTIVE, taskList } from '../../../core/task/view/tasks.ts';
import type { RequestInput } from '../../../engine/state/api.ts';
import { asFailure, messageOf } from '../../../shared/errors.ts';
import { WAITING } from '../../../shared/live.ts';
import { MAIN_PROJECT, type MessageRow } from '../../../shared/project/projects.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { aboutText, approvalText } from '../../approval/approvalText.ts';
import { jobEndedLine } from '../../job/run/jobEnded.ts';
import { type Context, columns, command } from '../../screen/context.ts';
import type { Connection } from '../../screen/run/connection.ts';
import { eventLine } from '../../screen/run/eventLine.ts';
import { quitText, runningHere, sayResumed } from '../../screen/run/leaving.ts';
import type { Stop } from '../../screen/run/stop.ts';
import { conversationWaiting, waitReporter } from '../../screen/run/waits.ts';
import { stillWord } from '../../screen/standing.ts';
import { wayText } from '../../screen/taskText.ts';
import type { LineDialog } from '../../screen/world.ts';
import { localDay, plural } from '../../text/format.ts';
import type { Tone } from '../../text/paint.ts';
import { spentColumns } from '../../text/spentColumns.ts';
import { table } from '../../text/table.ts';
import { visibleBlock, visibleLine } from '../../text/visible.ts';
import { wrap } from '../../text/width.ts';
import { ANSWER_HELP, answerInChat, chatAnswer, howToAnswerHere } from './chatAnswer.ts';

export type ChatStart = Pick<RequestInput<'sendMessage'>, 'provider' | 'scenario' | 'model'>;

export interface Chat {
  readonly context: Context;
  readonly connection: Connection;
  readonly stop: Stop;
  readonly start: ChatStart;
  /** Ids of the work that stops with this process and of which the user has read. */
  readonly told: string[];
}

const HELP = [
  '/projects  list the projects',
  '/status    list open jobs, tasks and questions',
  ...ANSWER_HELP,
  '/quit      end this chat',
  'Ctrl-C     stop the turn of the main agent; without one, end this chat',
].join('\n');

/** Messages of the main agent's conversation that a chat shows at its start, and unread messages of projects. */
const HISTORY = 10;
const UNREAD = 20;

export async function chatLoop(chat: Chat): Promise<number> {
  const { context, connection } = chat;
  const stopping = new Set<number>();
  const talk = context.deps.io.talk('> ', () => stopsTurn(chat, stopping, say));
  const say = (text: string, tone: Tone = 'plain'): void => talk.say(context.paint(wrap(text, columns(context)), tone));
  try {
    say('You talk to the main agent. /projects /status /approve /reject /help /quit', 'strong');
    for (const row of history(connection.state)) say(historyText(row), 'faint');
    await sayResumed(connection.engine, say);
    printUnread(chat, say);
    const waits = waitReporter(
      context,
      { of: 'project', id: MAIN_PROJECT, projectId: MAIN_PROJECT },
      () => conversationWaiting(connection.state, MAIN_PROJECT),
      (waiting, text) => say(text, waiting === null ? 'faint' : 'warning'),
    );
    waits.look();
    connection.listen({
      event: (event) => {
        printEvent(chat, say, event);
        waits.look();
      },
      live: ({ sessionId, text }) => {
        const session = sessionId === null ? undefined : connection.state.sessions.get(sessionId);
        // The main agent's thinking is not shown: its answer follows.
        if (session?.project_id === MAIN_PROJECT && text !== WAITING) say(`  … ${visibleLine(text)}`, 'faint');
      },
      problem: (text) => say(`Warning: ${visibleLine(text)}`, 'warning'),
    });
    const watching = watch(chat, talk, say);
    await Promise.race([converse(chat, talk, say), watching]);
  } finally {
    talk.close();
  }
  return 0;
}

/**
 * Whether Ctrl-C stops a turn of the main agent. If no turn is running, or the turn is being stopped already, it ends the chat. `stopping` holds the
 * id of the newest message of each turn that Ctrl-C stopped.
 */
function stopsTurn({ connection }: Chat, stopping: Set<number>, say: Say): boolean {
  const said = projectMessages(connection.state, MAIN_PROJECT).findLast(({ direction }) => direction === 'in');
  if (said === undefined || stopping.has(said.id) || connection.lost !== null) return false;
  if (!unfinishedConversations(connection.state).has(MAIN_PROJECT)) return false;
  stopping.add(said.id);
  say('Stopping the turn. Press Ctrl-C again to end the chat.', 'warning');
  connection.engine.request('stopTurn', { project: MAIN_PROJECT }).catch((thrown: unknown) => {
    stopping.delete(said.id);
    say(`The turn could not be stopped: ${visibleLine(messageOf(thrown))}`, 'bad');
  });
  return true;
}

/** Stop signals end the conversation; an owner that ended is replaced. Resolves when the conversation ends, rejects if no owner can be reached. */
async function watch({ connection, stop }: Chat, talk: LineDialog, say: Say): Promise<void> {
  for (;;) {
    const next = stop.bell.next();
    if (stop.times > 0) {
      talk.close();
      return;
    }
    if (connection.lost !== null) {
      say(`The owner went away (${connection.lost}); taking over.`, 'warning');
      await stop.orKilled(connection.reopen());
      continue;
    }
    await next;
  }
}

type Say = (text: string, tone?: Tone) => void;

async function converse(chat: Chat, talk: LineDialog, say: Say): Promise<void> {
  const { connection } = chat;
  let start: ChatStart = chat.start;
  for (;;) {
    const line = (await talk.next())?.trim();
    if (line === undefined) return;
    if (line === '/quit') {
      if (await mayQuit(chat, say)) return;
      continue;
    }
    if (line === '') continue;
    chat.told.length = 0;
    try {
      if (line.startsWith('/')) {
        await obey(chat, say, line);
      } else {
        await connection.engine.request('sendMessage', { project: MAIN_PROJECT, text: line, ...start });
        start = {};
      }
    } catch (thrown) {
      const { message, hint } = asFailure(thrown);
      say([visibleLine(message), visibleLine(hint)].filter((part) => part !== '').join('. '), 'bad');
    }
  }
}

/** Whether the user was informed about the work that stops with this process. If not, it is shown. */
async function mayQuit({ context, connection, told }: Chat, say: Say): Promise<boolean> {
  const running = connection.lost === null ? await runningHere(connection.engine) : [];
  if (running.every(({ id }) => told.includes(id))) return true;
  told.splice(0, told.length, ...running.map(({ id }) => id));
  say(quitText(context, running), 'warning');
  return false;
}

async function obey({ context, connection }: Chat, say: Say, line: string): Promise<void> {
  const answer = chatAnswer(line);
  if (answer !== null) {
    say(await answerInChat(context, connection.engine, answer));
    return;
  }
  switch (line) {
    case '/projects':
      say(projectsText(context, connection.state, await connection.engine.atWork()));
      break;
    case '/status':
      say(statusText(context, connection.state, await connection.engine.atWork()));
      break;
    case '/help':
      say(HELP);
      break;
    default:
      say(`There is no ${visibleLine(line)}.\n${HELP}`, 'warning');
  }
}

function projectsText(context: Context, state: State, atWork: AtWork): string {
  const views = projectViews(state, localDay(context.deps.clock))
    .filter(({ status }) => status !== 'archived')
    .map((view) => asItRuns(state, view, atWork));
  const money = spentColumns('TODAY', views.map(spentToday));
  const rows = views.map((view) => [
    visibleLine(view.name),
    view.parked ? 'parked' : view.status,
    view.doing,
    String(view.unread),
    ...money.cells(spentToday(view)),
  ]);
  if (rows.length === 0) return 'There is no project yet.';
  const right = { align: 'right' as const };
  const titles = [
    { title: 'PROJECT', gives: true },
    { title: 'STATUS' },
    { title: 'DOING' },
    { title: 'UNREAD', ...right },
    ...money.columns,
  ];
  return table(titles, rows, columns(context)).join('\n');
}

function statusText(context: Context, state: State, atWork: AtWork): string {
  const asked = openQuestions(state);
  const open = [...state.jobs.values()].filter(({ ended_at }) => ended_at === null);
  const jobs = open.map((job) => {
    const still = standsStill(job, atWork) ? ` (${stillWord(true)})` : '';
    return `${job.id}  ${job.status}${still}  ${visibleLine(job.title)}`;
  });
  const live = taskList(state, { statuses: ACTIVE }, context.deps.clock.now());
  const tasks = live.map((task) => `${task.id}  ${task.status}  ${wayText(task)}  ${visibleLine(task.name)}`);
  const questions = asked.map(({ row }) => questionText(context, state, row.id));
  const counts = [
    plural(open.length, 'open job'),
    ...(live.length === 0 ? [] : [plural(live.length, 'task')]),
    plural(asked.length, 'question'),
  ];
  return [counts.join(', '), ...jobs, ...tasks, ...questions].join('\n');
}

function questionText(context: Context, state: State, id: number): string {
  const row = state.approvals.get(id);
  if (row === undefined) return '';
  const job = row.job_id === null ? undefined : state.jobs.get(row.job_id);
  return [
    approvalText(context, row, job),
    ...(job === undefined ? [`  ${aboutText(state, row)}`] : []),
    howToAnswerHere(context, row, state),
  ].join('\n');
}

/** The end of the conversation with the main agent as far as it was read. */
function history(state: State): MessageRow[] {
  return projectMessages(state, MAIN_PROJECT)
    .filter((row) => (row.direction === 'out' ? row.read_at !== null : row.sender === 'steward'))
    .slice(-HISTORY);
}

const historyText = ({ direction, text }: MessageRow): string =>
  direction === 'in' ? `> ${visibleBlock(text)}` : visibleBlock(text);

/** Shows the messages of the main agent and the projects that arrived while no chat was open, the oldest first. */
function printUnread(chat: Chat, say: Say): void {
  const unread = [...chat.connection.state.messages.values()].filter(
    (row) => row.direction === 'out' && row.read_at === null,
  );
  for (const row of unread.slice(0, UNREAD)) printMessage(chat, say, row);
  const rest = new Set(unread.slice(UNREAD).map(({ project_id }) => project_id));
  if (rest.size === 0) return;
  const names = [...rest].map((name) => command(chat.context, `project messages ${name}`));
  say(`${unread.length - UNREAD} more unread messages: ${names.join(', ')}`, 'warning');
}

const SHOWN =
  /^(project_|job_(completed|failed|cancelled)|task_(started|completed|failed|cancelled|paused)|brief_submitted)/;

/** The questions of an event. Some events contain the question that they cause. */
function askedIn(event: Event): readonly number[] {
  switch (event.type) {
    case 'approval_requested':
    case 'task_step_asked':
      return [event.approval.id];
    case 'attempt_ended':
    case 'task_paused':
      return event.approval === null ? [] : [event.approval.id];
    case 'baseline_checked':
      return event.approval === undefined ? [] : [event.approval.id];
    case 'task_stepped':
      return event.started.flatMap(({ approval }) => (approval === null ? [] : [approval.id]));
    default:
      return [];
  }
}

function printEvent(chat: Chat, say: Say, event: Event): void {
  const { context, connection } = chat;
  const { state } = connection;
  const asked = askedIn(event);
  for (const id of asked) say(questionText(context, state, id), 'warning');
  const said = 'message' in event ? event.message : null;
  const message = said === null || typeof said !== 'object' ? undefined : state.messages.get(said.id);
  if (message?.direction === 'out') {
    printMessage(chat, say, message);
    return;
  }
  if (asked.length > 0) return;
  // The main agent is the partner of the chat, not a project of the user.
  if (event.type === 'project_created' && event.project.id === MAIN_PROJECT) return;
  // Messages of the person or the main agent are on the screen already, or in its reply.
  if (message === undefined ? !SHOWN.test(event.type) : message.relayed_from === null) return;
  if (message !== undefined) {
    // Its text was shown when its project sent it.
    say(
      `${visibleLine(message.project_id)} got message ${message.relayed_from} of ${visibleLine(originOf(state, message))}.`,
      'faint',
    );
    return;
  }
  const line = jobEndedLine(event, state) ?? eventLine(event, state, context);
  if (line !== null) say(line.text, line.tone);
}

const originOf = (state: State, { relayed_from }: MessageRow): string =>
  state.messages.get(relayed_from ?? 0)?.project_id ?? 'a project';

/** A message that is shown counts as read by the steward. */
function printMessage({ connection }: Chat, say: Say, { id, project_id, task_id, concerns, text }: MessageRow): void {
  const task = task_id === null ? '' : `, task ${visibleLine(connection.state.tasks.get(task_id)?.name ?? task_id)}`;
  const about = concerns === null ? '' : ` (message ${id}, concerns ${visibleLine(concerns)})`;
  const who = `${visibleLine(project_id)}${task}${about}`;
  say(project_id === MAIN_PROJECT ? visibleBlock(text) : `${who}: ${visibleBlock(text)}`);
  connection.engine.request('markRead', { project: project_id, upTo: id }).catch((thrown: unknown) => {
    // The message stays unread, and is shown again.
    say(`Warning: ${visibleLine(messageOf(thrown))}`, 'warning');
  });
}
