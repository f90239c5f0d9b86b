/** Finds the current standing facts of a conversation in its history, so that a restart does not repeat them. */

import { beginsAssignment } from '../../../shared/workspace/assignment.ts';
import type { Conversation } from '../../session/transcript/history.ts';
import { blocksOf, type Message } from '../../session/transcript/messages.ts';

/** Whether the newest text that has the fact's heading states the fact. A fact without a text is held. */
export function isHeld({ messages }: Pick<Conversation, 'messages'>, fact: string): boolean {
  const [heading = ''] = fact.split('\n', 1);
  if (heading === '') return true;
  const newest = messages.flatMap(textsBeforeTurns).findLast((text) => text.split('\n').includes(heading));
  return newest !== undefined && `\n\n${newest}\n\n`.includes(`\n\n${fact}\n\n`);
}

/** The texts before each turn, without the messages of the turn. */
function textsBeforeTurns(message: Message): readonly string[] {
  if (message.role !== 'user') return [];
  const texts = blocksOf(message).map((block) => (block.type === 'text' ? block.text : ''));
  return texts.filter((_, at) => beginsAssignment(texts[at + 1] ?? ''));
}
