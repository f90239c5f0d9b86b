/**
 * Derives from a request alone which messages a project, the main agent or a subagent received, and how far its answer
 * is.
 */
import { type ProjectTurn, parseProjectTurn } from '../../shared/workspace/assignment.ts';
import { repliesBefore, texts } from './conversation.ts';
import type { Block, MessagesRequest } from './request.ts';

/** One message, without the text that the prompts add. */
export interface Told {
  readonly id: number;
  readonly text: string;
}

export interface SimulatedConversation {
  readonly asked: ProjectTurn;
  /** The messages of this round. */
  readonly told: readonly Told[];
  /** The messages of earlier rounds that the request still contains, oldest first. */
  readonly before: readonly Told[];
  /** 0 for the first reply to this round. */
  readonly turn: number;
  /** The results of the tools that the last reply called. */
  readonly result: string;
}

interface Round {
  readonly asked: ProjectTurn;
  readonly told: readonly Told[];
  /** Index of the message that contains it. */
  readonly at: number;
}

/** Returns null if the request does not come from a project: it is a job's or an external agent's. */
export function talkOf({ messages }: MessagesRequest): SimulatedConversation | null {
  const rounds = messages.flatMap(({ role, content }, at) =>
    role === 'user' ? texts(content).flatMap((text) => roundOf(text, at)) : [],
  );
  const last = rounds.pop();
  if (last === undefined) return null;
  const before = rounds.filter(({ asked }) => asked.kind === 'messages').flatMap(({ told }) => told);
  const since = messages.slice(last.at);
  const turn = since.filter(({ role }) => role === 'assistant').length + repliesBefore(since[0]?.content ?? []);
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

/** The first line of each round of a conversation that is quoted line by line. */
function roundsQuoted(lines: readonly string[]): readonly string[] {
  const first = (from: number) => lines.slice(from).find((line) => line.trim() !== '') ?? '';
  return lines.flatMap((line, at) => (parseProjectTurn(line)?.kind === 'messages' ? [first(at + 1)] : []));
}

/** The format of `src/engine/session/prompts`: the speaker and the time, and marks around data. */
const SPEAKER = /^(?:(?:The|Another|Your own) [^\n]{1,240}, \d{4}-\d\d-\d\d[T ][^\n]{1,40}:)$/m;
const MARKED = /^<(message [0-9a-f]+)>\n([\s\S]*)\n<\/\1>$/;
const CALL_MARK = /\n\n\(asked for by call [^\n]*\)$/;

function messagesIn(text: string): readonly string[] {
  const parts = text.split(SPEAKER);
  // A single text of the user has no heading.
  const said = parts.length === 1 ? parts : parts.slice(1);
  return said.map((part) => MARKED.exec(part.trim())?.[2] ?? part);
}

function resultText(block: Block): string[] {
  if (block.type !== 'tool_result') return [];
  const content = block['content'];
  return typeof content === 'string' ? [content] : texts(Array.isArray(content) ? content : []);
}
