/** Derives from a request alone which turn of which assignment it asks for. */
import { type Assignment, isHandoverRequest, parseAssignment } from '../../shared/workspace/assignment.ts';
import type { MessagesRequest } from './request.ts';

export interface Position {
  readonly assignment: Assignment;
  /** 0 for the first reply after the assignment. */
  readonly turn: number;
}

const SUMMARY = /\bSimulated summary: (\d+) replies so far\./g;

/** The summary for a conversation that is handed over: it states the turn, which the fresh conversation continues from. */
export const summaryText = (turn: number): string => `Simulated summary: ${turn} replies so far.`;

/** Whether the request asks for that summary. */
export const asksForSummary = ({ messages }: MessagesRequest): boolean =>
  texts(messages.at(-1)?.content ?? []).some(isHandoverRequest);

/** Replies to the assignment in a message that the summary beside it states. */
export function repliesBefore(content: MessagesRequest['system']): number {
  const found = texts(content).flatMap((text) => [...text.matchAll(SUMMARY)]);
  return Number(found.at(-1)?.[1] ?? 0);
}

/** The last assignment in the user's text, and the number of replies since; null if there is none. */
export function positionOf({ messages }: MessagesRequest): Position | null {
  let turn = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') turn++;
    if (message.role !== 'user') continue;
    const assignment = texts(message.content)
      .map(readAssignment)
      .findLast((found) => found !== null);
    if (assignment !== undefined) return { assignment, turn: turn + repliesBefore(message.content) };
  }
  return null;
}

/**
 * The text that ends an external agent's turn if its script has no more turns: such an agent makes one more call after
 * a report, and small side calls.
 */
export const FOREIGN_CLOSING = 'That is all (simulated).';

/** External agents wrap a prompt in their own text: there an assignment counts at any position in a text. */
export function foreignPositionOf({ messages }: MessagesRequest): Position | null {
  const isClosing = (content: string): boolean => content === FOREIGN_CLOSING;
  let turn = 0;
  for (const message of messages.toReversed()) {
    const said = texts(message.content);
    if (message.role === 'assistant' && !(message.content.length === 1 && said.some(isClosing))) turn++;
    if (message.role !== 'user') continue;
    const assignment = said.map(findAssignment).findLast((found) => found !== null);
    if (assignment !== undefined) return { assignment, turn };
  }
  return null;
}

/** The first match: a prompt quotes other texts after it. */
function findAssignment(text: string): Assignment | null {
  return [...text.matchAll(ANYWHERE)].map(([line]) => parseAssignment(line)).find((found) => found !== null) ?? null;
}

const ANYWHERE = /Assignment: (?:planner|worker|reviewer|summarizer)\b[^\n]*?\| attempt \d+/g;

/** The section with the quoted brief, up to the next section; see `src/engine/session/prompts`. */
const BRIEF = /(?:^|\n)# Brief\n([\s\S]*?)(?=\n\n# (?:Completed phases\n|Phase \d+: )|$)/;

/** Text of a repository, which may contain a section of that name. */
const QUOTED = /<([a-z ]+ [0-9a-f]{8})>\n[\s\S]*?\n<\/\1>/g;

/** The brief quoted at the start of the conversation; empty if there is none. */
export function briefOf({ messages }: MessagesRequest): string {
  const texts = userTexts(messages);
  const briefs = texts.map((text) => BRIEF.exec(text.replaceAll(QUOTED, ''))?.[1]);
  return briefs.find((brief) => brief !== undefined) ?? '';
}

/** The first text of the conversation; empty if there is none. */
export function firstUserText({ messages }: MessagesRequest): string {
  return userTexts(messages)[0] ?? '';
}

function readAssignment(text: string): Assignment | null {
  const end = text.indexOf('\n');
  return parseAssignment((end < 0 ? text : text.slice(0, end)).trimEnd());
}

function userTexts(messages: MessagesRequest['messages']): string[] {
  return messages.filter(({ role }) => role === 'user').flatMap(({ content }) => texts(content));
}

export function texts(blocks: MessagesRequest['system']): string[] {
  return blocks.filter((block) => block.type === 'text').map((block) => String(block['text']));
}
