/** A conversation with the main agent at a terminal: messages of the agent and of projects appear above the input line. */

import { unfinishedConversations } from '../../../core/project/conversations.ts';
import { projectMessages } from '../../../core/state/rows.ts';
import type { RequestInput } from '../../../engine/state/api.ts';
import { asFailure, messageOf } from '../../../shared/errors.ts';
import { WAITING } from '../../../shared/live.ts';
import { MAIN_PROJECT } from '../../../shared/project/projects.ts';
import { columns } from '../../screen/context.ts';
import { quitText, runningHere, sayResumed } from '../../screen/run/leaving.ts';
import type { Stop } from '../../screen/run/stop.ts';
import { conversationWaiting, waitReporter } from '../../screen/run/waits.ts';
import type { LineDialog } from '../../screen/world.ts';
import type { Tone } from '../../text/paint.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrap } from '../../text/width.ts';
import { ANSWER_HELP, answerInChat, chatAnswer } from './chatAnswer.ts';
import { type ChatScreen, history, historyText, printEvent, printUnread, type Say } from './chatPrint.ts';
import { projectsText, statusText } from './chatTexts.ts';

export type ChatStart = Pick<RequestInput<'sendMessage'>, 'provider' | 'scenario' | 'model'>;

export interface Chat extends ChatScreen {
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
