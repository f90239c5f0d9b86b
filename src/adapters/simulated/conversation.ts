/** Finds out, from nothing but a request, which turn of which assignment is asked for. */
import { type Assignment, type ProjectTurn, parseAssignment, parseProjectTurn } from '../../shared/assignment.ts';
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

/** Where a project's conversation, the main agent's, or a subagent's is. */
export interface Talk {
  readonly asked: ProjectTurn;
  /** What it was told, without the line that says so. */
  readonly told: string;
  /** What it was told before, oldest first: as far as the request still has it. */
  readonly before: readonly string[];
  /** 0 for the first reply to what it was told. */
  readonly turn: number;
  /** What the tools that the last reply called gave back. */
  readonly result: string;
}

/** null: the request is no project's, but a job's or somebody else's. */
export function talkOf({ messages }: MessagesRequest): Talk | null {
  const all = messages.flatMap(({ role, content }, at) =>
    role === 'user' ? texts(content).flatMap((text) => heard(text, at)) : [],
  );
  const last = all.at(-1);
  if (last === undefined) return null;
  const { asked, told, at } = last;
  const before = all.slice(0, -1).filter((one) => one.asked.kind === 'messages');
  const turn = messages.slice(at).filter(({ role }) => role === 'assistant').length;
  const result = messages.at(-1)?.content.flatMap(resultText).join('\n') ?? '';
  return { asked, told, before: before.map((one) => one.told), turn, result };
}

function heard(text: string, at: number): { asked: ProjectTurn; told: string; at: number }[] {
  const [line = '', ...rest] = text.split('\n');
  const asked = parseProjectTurn(line.trimEnd());
  return asked === null ? [] : [{ asked, told: rest.join('\n').trim(), at }];
}

function resultText(block: MessagesRequest['system'][number]): string[] {
  if (block.type !== 'tool_result') return [];
  const content = block['content'];
  return typeof content === 'string' ? [content] : texts(Array.isArray(content) ? content : []);
}

/** The section of an opening that quotes the brief, up to the section that follows it; see `src/agent/prompts`. */
const BRIEF = /(?:^|\n)# Brief\n([\s\S]*?)(?=\n\n# (?:Completed phases\n|Phase \d+: )|$)/;

/** The brief that the conversation's opening quotes; empty when it quotes none. */
export function briefOf({ messages }: MessagesRequest): string {
  const texts = userTexts(messages);
  return texts.map((text) => BRIEF.exec(text)?.[1]).find((brief) => brief !== undefined) ?? '';
}

/** The last text of the user; empty when there is none. */
export function lastUserText({ messages }: MessagesRequest): string {
  return userTexts(messages).at(-1) ?? '';
}

function readAssignment(text: string): Assignment | null {
  const end = text.indexOf('\n');
  return parseAssignment((end < 0 ? text : text.slice(0, end)).trimEnd());
}

function userTexts(messages: MessagesRequest['messages']): string[] {
  return messages.filter(({ role }) => role === 'user').flatMap(({ content }) => texts(content));
}

function texts(blocks: MessagesRequest['system']): string[] {
  return blocks.filter((block) => block.type === 'text').map((block) => String(block['text']));
}
