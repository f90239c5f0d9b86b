/** Finds out, from nothing but a request, what a project, the main agent or a subagent is told, and how far its answer is. */
import { type ProjectTurn, parseProjectTurn } from '../../shared/workspace/assignment.ts';
import { texts } from './conversation.ts';
import type { Block, MessagesRequest } from './request.ts';

/** One message, without what the prompts put around it. */
export interface Told {
  readonly id: number;
  readonly text: string;
}

export interface SimulatedConversation {
  readonly asked: ProjectTurn;
  /** What this round brings: one message or several. */
  readonly told: readonly Told[];
  /** The messages of earlier rounds, oldest first: as far as the request still has them. */
  readonly before: readonly Told[];
  /** 0 for the first reply to this round. */
  readonly turn: number;
  /** What the tools gave that the last reply called. */
  readonly result: string;
}

interface Round {
  readonly asked: ProjectTurn;
  readonly told: readonly Told[];
  /** Place of the message that brought it. */
  readonly at: number;
}

/** null: the request is no project's, but a job's or somebody else's. */
export function talkOf({ messages }: MessagesRequest): SimulatedConversation | null {
  const rounds = messages.flatMap(({ role, content }, at) =>
    role === 'user' ? texts(content).flatMap((text) => roundOf(text, at)) : [],
  );
  const last = rounds.pop();
  if (last === undefined) return null;
  const before = rounds.filter(({ asked }) => asked.kind === 'messages').flatMap(({ told }) => told);
  const turn = messages.slice(last.at).filter(({ role }) => role === 'assistant').length;
  const result = messages.at(-1)?.content.flatMap(resultText).join('\n') ?? '';
  return { asked: last.asked, told: last.told, before, turn, result };
}

function roundOf(text: string, at: number): Round[] {
  const [line = '', ...rest] = text.split('\n');
  const asked = parseProjectTurn(line.trimEnd());
  if (asked === null) return [];
  const ids = asked.kind === 'messages' ? asked.ids : [];
  const said = saidIn(asked, rest.join('\n'));
  return [{ asked, told: said.map((one, index) => ({ id: ids[index] ?? 0, text: one.trim() })), at }];
}

function saidIn({ kind }: ProjectTurn, text: string): readonly string[] {
  switch (kind) {
    case 'messages':
      return messagesIn(text);
    case 'subagent':
      return [text.replace(CALL_MARK, '')];
    case 'summary':
      return roundsQuoted(text.split('\n'));
  }
}

/** What each round of a conversation that is quoted line by line began with. */
function roundsQuoted(lines: readonly string[]): readonly string[] {
  const first = (from: number) => lines.slice(from).find((line) => line.trim() !== '') ?? '';
  return lines.flatMap((line, at) => (parseProjectTurn(line)?.kind === 'messages' ? [first(at + 1)] : []));
}

/** As `src/engine/session/prompts` writes them: who says it and when, and marks around what is data. */
const SPEAKER = /^(?:(?:The|Another|Your own) [^\n]{1,240}, \d{4}-\d\d-\d\d[T ][^\n]{1,40}:)$/m;
const MARKED = /^<(message [0-9a-f]+)>\n([\s\S]*)\n<\/\1>$/;
const CALL_MARK = /\n\n\(asked for by call [^\n]*\)$/;

function messagesIn(text: string): readonly string[] {
  const parts = text.split(SPEAKER);
  // A lone word of the person has no heading.
  const said = parts.length === 1 ? parts : parts.slice(1);
  return said.map((part) => MARKED.exec(part.trim())?.[2] ?? part);
}

function resultText(block: Block): string[] {
  if (block.type !== 'tool_result') return [];
  const content = block['content'];
  return typeof content === 'string' ? [content] : texts(Array.isArray(content) ? content : []);
}
