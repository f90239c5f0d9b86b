/** Tools that speak with projects. */
import { need, projectMessages } from '../../core/state/rows.ts';
import { minuteText } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { MainToolInput } from '../../shared/workspace/mainTools.ts';
import type { State } from '../../shared/workspace/state.ts';
import { recall } from '../project/talk/recall.ts';
import { quotedBlock } from '../session/quoted.ts';
import type { MainAgentTools } from './mainAgentTools.ts';

const AT_ONCE = 20;
const WHEN_NOTHING_IS_NEW = 5;

function needOther(state: State, id: string): void {
  if (id === MAIN_PROJECT) {
    throw failure('NOT_PERMITTED', `${id} is the main agent itself`, { hint: 'See list_projects.' });
  }
  need(state, 'projects', id);
}

/** A message of a project, which can be relayed verbatim. */
function needPassable(state: State, id: number, to: string): MessageRow {
  const message = need(state, 'messages', id);
  if (message.direction === 'out' && message.project_id !== to && message.project_id !== MAIN_PROJECT) return message;
  throw failure('INVALID_INPUT', `message ${id} is not a message of another project than ${to}`);
}

/** Prevents a duplicate message: an interrupted round runs its tools again. */
function waiting(state: State, project: string, text: string, from: 'main' | number): MessageRow | undefined {
  return projectMessages(state, project).findLast(
    (row) =>
      row.direction === 'in' &&
      row.read_at === null &&
      (from === 'main' ? row.sender === 'main' && row.text === text : row.relayed_from === from),
  );
}

async function send(tools: MainAgentTools, project: string, text: string, relay: number | null): Promise<number> {
  const before = waiting(tools.state, project, text, relay ?? 'main');
  if (before !== undefined) return before.id;
  const { messageId } = await tools.request('sendMessage', { project, text, from: 'main', relayedFrom: relay });
  return messageId;
}

export function messageText({ id, at, concerns, task_id, text }: MessageRow): string {
  const about = concerns === null ? '' : `, concerns ${concerns}`;
  const of = task_id === null ? '' : `, of task ${task_id}`;
  return `Message ${id} at ${minuteText(at)}${of}${about}:\n${quotedBlock(text)}`;
}

/** For a project without own messages: shows the last messages to it. */
function nothingSaid(state: State, project: string): string {
  const told = projectMessages(state, project).slice(-WHEN_NOTHING_IS_NEW);
  if (told.length === 0) return `Project ${project} has sent nothing yet, and has received nothing.`;
  const texts = told.map((row) => {
    const read = row.read_at === null ? ', not read yet' : '';
    return `To it, by ${row.sender === 'main' ? 'you' : `the ${row.sender}`}${read}. ${messageText(row)}`;
  });
  return [`Project ${project} has sent nothing yet. Messages to it:`, ...texts].join('\n\n');
}

export const talkCalls = {
  message_project: async (tools: MainAgentTools, { project, text = '', relay }: MainToolInput<'message_project'>) => {
    needOther(tools.state, project);
    const passed = relay === undefined ? null : needPassable(tools.state, relay, project);
    if (text.trim() === '' && passed === null) {
      throw failure('INVALID_INPUT', 'there is nothing to say', { hint: 'Give a text, or a message to relay.' });
    }
    const ids: number[] = [];
    if (passed !== null) ids.push(await send(tools, project, passed.text, passed.id));
    if (text.trim() !== '') ids.push(await send(tools, project, text, null));
    const { status, parked } = need(tools.state, 'projects', project);
    const when = status === 'suspended' ? 'it is read when the project is resumed' : 'the answer comes as a message';
    return `Sent as ${ids.join(' and ')}: ${parked === null ? when : 'the project reads it after it has resumed'}.`;
  },

  search_conversation: async (
    tools: MainAgentTools,
    { query, project = MAIN_PROJECT }: MainToolInput<'search_conversation'>,
  ) => {
    if (project !== MAIN_PROJECT) need(tools.state, 'projects', project);
    return recall(tools.state, project, query);
  },

  read_messages: async (tools: MainAgentTools, { project, last }: MainToolInput<'read_messages'>) => {
    needOther(tools.state, project);
    const said = projectMessages(tools.state, project).filter(({ direction }) => direction === 'out');
    const unread = said.filter(({ main_read_at }) => main_read_at === null);
    const old = unread.length === 0;
    const shown = last !== undefined || old ? said.slice(-(last ?? WHEN_NOTHING_IS_NEW)) : unread.slice(0, AT_ONCE);
    const upTo = shown.at(-1)?.id;
    if (upTo === undefined) return nothingSaid(tools.state, project);
    if (!old) await tools.request('markRead', { project, upTo, by: 'main' });
    const more = unread.filter(({ id }) => id > upTo).length;
    return [
      ...(old ? [`Nothing new from ${project}. The last messages:`] : [`Project ${project} said:`]),
      ...shown.map(messageText),
      ...(more > 0 ? [`${more} more are unread: ask again.`] : []),
    ].join('\n\n');
  },
};
