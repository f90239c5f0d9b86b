/** Finds out, from nothing but a request, which turn of which assignment is asked for. */
import { type Assignment, parseAssignment } from '../../shared/assignment.ts';
import type { MessagesRequest } from './request.ts';

export interface Position {
  readonly assignment: Assignment;
  /** 0 for the first reply after the assignment. */
  readonly turn: number;
}

/** The last assignment in the user's text, and how many replies came since; null when there is none. */
export function positionOf({ messages }: MessagesRequest): Position | null {
  let turn = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') turn++;
    if (message.role !== 'user') continue;
    const assignment = texts(message.content)
      .map(readAssignment)
      .findLast((found) => found !== null);
    if (assignment !== undefined) return { assignment, turn };
  }
  return null;
}

/** The brief that a prompt quotes between `<brief>` tags; empty when it quotes none. */
export function briefOf({ system, messages }: MessagesRequest): string {
  const all = texts([...system, ...messages.filter(({ role }) => role === 'user').flatMap(({ content }) => content)]);
  for (const text of all) {
    const brief = /<brief>([\s\S]*?)<\/brief>/.exec(text)?.[1];
    if (brief !== undefined) return brief.trim();
  }
  return '';
}

/** The last text of the user; empty when there is none. */
export function lastUserText({ messages }: MessagesRequest): string {
  return texts(messages.filter(({ role }) => role === 'user').flatMap(({ content }) => content)).at(-1) ?? '';
}

function readAssignment(text: string): Assignment | null {
  const end = text.indexOf('\n');
  return parseAssignment((end < 0 ? text : text.slice(0, end)).trimEnd());
}

function texts(blocks: MessagesRequest['system']): string[] {
  return blocks.filter((block) => block.type === 'text').map((block) => String(block['text']));
}
