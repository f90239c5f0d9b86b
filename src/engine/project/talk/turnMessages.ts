/** Selects the messages of a turn and writes their text. */
import { projectMessages } from '../../../core/state/rows.ts';
import { fromPlain } from '../../../shared/errors.ts';
import type { MessageRow } from '../../../shared/project/projects.ts';
import { economyOf } from '../../session/economy.ts';
import type { Turn } from '../../session/ports.ts';
import { messagesTurn, standingFacts } from '../../session/prompts/project.ts';
import { prompt } from '../../session/prompts/sections.ts';
import { type Conversation, foldTranscript } from '../../session/transcript/history.ts';
import { memoryIndex } from '../memory/memory.ts';
import type { Briefing } from '../threadPorts.ts';
import type { ConversationPorts, ConversationRun } from './conversationPorts.ts';
import { isHeld } from './heldFacts.ts';

const MAX_JOINED = 20;

const MAX_TURN_CHARACTERS = 100_000;

/** For the next turn: the earlier request must not be resumed. */
const STOPPED_BEFORE =
  'Your last turn was stopped by a person before its end. Its messages and results are above. Do not resume it unless you are asked to.';

export function waitingMessages({ store, projectId }: ConversationPorts, heldUpTo: number): MessageRow[] {
  return projectMessages(store.state, projectId).filter(
    (row) => row.direction === 'in' && row.read_at === null && row.id > heldUpTo,
  );
}

/**
 * The waiting messages that one turn takes: the rest is left to the next turn, so that many messages neither fill the context nor
 * use up a turn.
 */
export function joined(waiting: readonly MessageRow[]): readonly MessageRow[] {
  let left = MAX_TURN_CHARACTERS;
  const end = waiting.findIndex(({ text }, index) => {
    left -= text.length;
    return index > 0 && (index >= MAX_JOINED || left < 0);
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

export async function turnOf(talk: ConversationRun, waiting: readonly MessageRow[]): Promise<Turn> {
  const { ports, journal } = talk;
  const { now, ...about } = await briefed(ports, journal.heldUpTo);
  const standing = standingFacts(ports.projectId, await memoryIndex(ports.memory), about);
  const held = foldTranscript(journal.entries);
  const { settled } = held;
  const wasStopped = settled?.kind === 'ended' && settled.reason === 'stopped';
  const changed = standing.filter((fact) => !isHeld(held, fact));
  const before = prompt(now, ...changed, wasStopped ? STOPPED_BEFORE : '');
  return { ...turnText(ports, waiting), ...(before === '' ? {} : { before }) };
}

async function briefed(ports: ConversationPorts, heldUpTo: number): Promise<Briefing> {
  const answered = await ports.owner.briefing(heldUpTo);
  if ('failure' in answered) throw fromPlain(answered.failure);
  return answered.value;
}

const turnText = (ports: ConversationPorts, waiting: readonly MessageRow[]): Turn =>
  messagesTurn(ports.projectId, waiting, (message) => originOf(ports, message));

/**
 * Messages that arrived during a round of tools join the turn, unless there are too many or the conversation must be shortened
 * first.
 */
export function meanwhile({ ports, journal }: ConversationRun): Turn | null {
  const waiting = waitingMessages(ports, journal.heldUpTo);
  if (waiting.length === 0) return null;
  const conversation = foldTranscript(journal.entries);
  if (conversation.turn.length >= MAX_JOINED || isTooLong(ports, conversation)) return null;
  return turnText(ports, joined(waiting));
}

/** Whether the older part is summed up before the next turn. */
export function isTooLong({ settings }: ConversationPorts, conversation: Conversation): boolean {
  if (settings.compactAtTokens !== undefined) return conversation.use.size >= settings.compactAtTokens;
  return economyOf(settings.prices).handoverDue(conversation) !== null;
}

/** The project of the relayed message, if it is known here. */
function originOf({ store }: ConversationPorts, { relayed_from }: MessageRow): string | null {
  return relayed_from === null ? null : (store.state.messages.get(relayed_from)?.project_id ?? null);
}
