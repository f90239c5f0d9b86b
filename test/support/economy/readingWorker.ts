/**
 * A worker that reads one file each round and knows only what a request shows it: how far it is follows from its calls in the
 * conversation, or from its own summary. After a handover it reads its last files again.
 */
import type { Answer } from '../../../src/adapters/simulated/model.ts';
import {
  CHARS_PER_TOKEN,
  countInputTokens,
  type InputUsage,
  PromptCache,
} from '../../../src/adapters/simulated/promptCache.ts';
import { makeReply } from '../../../src/adapters/simulated/reply.ts';
import {
  type Block,
  type Message,
  type MessagesRequest,
  readRequest,
} from '../../../src/adapters/simulated/request.ts';
import type { Turn } from '../../../src/adapters/simulated/scenario.ts';
import { isHandoverRequest } from '../../../src/shared/workspace/assignment.ts';

export interface Reading {
  readonly rounds: number;
  /** Characters of a file. */
  readonly size: number;
  /** Characters of a line: 80. Line numbers take more room in short ones. */
  readonly line?: number;
  /** Tokens of the text before each call. */
  readonly said: number;
  /** Tokens of a summary. */
  readonly summary?: number;
  /** Files that are read again after a handover. */
  readonly again?: number;
  /** A file that is written before the report. */
  readonly writes?: string;
}

const SUMMARY_TOKENS = 1_500;
const READ_AGAIN = 4;
const FINISHED = 'Files finished so far:';
const LINE = 80;

export const fileOf = (round: number): string => `part-${String(round).padStart(3, '0')}.txt`;

/** Lines that differ from file to file, so that no text stands for another. */
export function contentOf(round: number, { size, line = LINE }: Pick<Reading, 'size' | 'line'>): string {
  const text = (at: number): string => `${fileOf(round)} line ${at} `.padEnd(line - 1, '.');
  const lines = Array.from({ length: Math.ceil(size / line) }, (_, at) => text(at + 1));
  return `${lines.join('\n').slice(0, size - 1)}\n`;
}

/** Whether the engine asks for a summary to hand over: the one place that knows its words. */
export function asksForSummary({ messages }: MessagesRequest): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'user') return false;
  return textsOf(last).some(isHandoverRequest);
}

/** One request that was answered, for whoever counts. */
export interface Asked {
  readonly request: MessagesRequest;
  readonly usage: InputUsage;
  /** Whether the engine asked for a summary to hand over. */
  readonly isSummary: boolean;
}

export class ReadingWorker {
  readonly #reading: Reading;
  readonly #cache: PromptCache;
  readonly #seen: (asked: Asked) => void;

  /** `now`: of the cache, milliseconds. */
  constructor(reading: Reading, now: () => number, seen: (asked: Asked) => void = () => undefined) {
    this.#reading = reading;
    this.#cache = new PromptCache(now);
    this.#seen = seen;
  }

  answer(path: string, body: string): Answer {
    const read = readRequest(body);
    if (!read.ok) {
      return { kind: 'error', status: 400, type: 'invalid_request_error', message: read.message, exhausted: false };
    }
    const { request } = read;
    if (path.split('?', 1)[0] !== '/v1/messages') return { kind: 'tokens', inputTokens: countInputTokens(request) };
    const isSummary = asksForSummary(request);
    const usage = this.#cache.use(request);
    this.#seen({ request, usage, isSummary });
    const turn = isSummary ? this.#summary(request) : this.#next(request);
    return { kind: 'reply', reply: makeReply(request, turn, usage), stream: request.stream };
  }

  #summary(request: MessagesRequest): Turn {
    const { summary = SUMMARY_TOKENS } = this.#reading;
    return { text: filled(`${FINISHED} ${finished(request)}.`, summary), calls: [] };
  }

  #next(request: MessagesRequest): Turn {
    const { rounds, said, again = READ_AGAIN } = this.#reading;
    const atStart = finishedAtStart(request);
    const read = roundsRead(request);
    if (atStart > 0 && read.length === 0) {
      const first = Math.max(1, atStart - again + 1);
      const files = Array.from({ length: atStart - first + 1 }, (_, at) => first + at);
      return { text: filled('These again.', said), calls: files.map(reading) };
    }
    const round = finished(request) + 1;
    const { writes } = this.#reading;
    if (round > rounds && writes !== undefined && !isWritten(request)) {
      return {
        text: '',
        calls: [{ tool: 'write', input: { file_path: writes, content: `${rounds} files were read.\n` } }],
      };
    }
    if (round > rounds) {
      return { text: '', calls: [{ tool: 'report', input: { outcome: 'done', summary: `Read ${rounds} files.` } }] };
    }
    return { text: filled(`Round ${round}.`, said), calls: [reading(round)] };
  }
}

const reading = (round: number): Turn['calls'][number] => ({ tool: 'read', input: { file_path: fileOf(round) } });

/** The highest file of the conversation, called or summed up. */
function finished(request: MessagesRequest): number {
  return Math.max(finishedAtStart(request), ...roundsRead(request));
}

function finishedAtStart({ messages }: MessagesRequest): number {
  const [first] = messages;
  const found = first === undefined ? [] : textsOf(first).flatMap((text) => [...text.matchAll(SUMMED_UP)]);
  return Math.max(0, ...found.map(([, count]) => Number(count)));
}

const SUMMED_UP = new RegExp(`${FINISHED} (\\d+)\\.`, 'g');

function roundsRead({ messages }: MessagesRequest): number[] {
  const calls = messages.flatMap(({ role, content }) => (role === 'assistant' ? content : []));
  return calls.flatMap((block) => {
    const isRead = block.type === 'tool_use' && block['name'] === 'read';
    const path = isRead ? (block['input'] as { readonly file_path?: string }).file_path : undefined;
    return path === undefined ? [] : [Number(/\d+/.exec(path)?.[0])];
  });
}

const isWritten = ({ messages }: MessagesRequest): boolean =>
  messages.some(({ content }) => content.some((block) => block.type === 'tool_use' && block['name'] === 'write'));

function textsOf({ content }: Message): string[] {
  return content.filter(({ type }: Block) => type === 'text').map((block) => String(block['text']));
}

/** Text of this many tokens that begins with `start`. */
function filled(start: string, tokens: number): string {
  const words = 'What was found is written down here so that it can be read later. ';
  const length = Math.max(start.length, tokens * CHARS_PER_TOKEN);
  return `${start} ${words.repeat(Math.ceil(length / words.length))}`.slice(0, length);
}
