/**
 * Plays a model from scripts that react to what a request states. A conversation is a generator: it yields the calls of a reply and
 * gets the next request. Each reply is counted for the feature that it worked on.
 */
import { type Position, positionOf } from '../../../src/adapters/simulated/conversation.ts';
import type { Answer } from '../../../src/adapters/simulated/model.ts';
import { countInputTokens, PromptCache } from '../../../src/adapters/simulated/promptCache.ts';
import { makeReply } from '../../../src/adapters/simulated/reply.ts';
import { type Block, type MessagesRequest, readRequest } from '../../../src/adapters/simulated/request.ts';
import type { Usage } from '../../../src/shared/money.ts';
import type { Assignment } from '../../../src/shared/workspace/assignment.ts';

export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** What the request does not state, if the reply only finds that out. */
  readonly lacking?: string;
}

export type Script = Generator<Reply, void, Request>;
/** The script of an assignment, from its first request on. */
export type Player = (first: Request) => Script;

/** One request, as a model reads it. */
export class Request {
  readonly assignment: Assignment;
  readonly #request: MessagesRequest;

  constructor(request: MessagesRequest, assignment: Assignment) {
    this.#request = request;
    this.assignment = assignment;
  }

  get model(): string {
    return this.#request.model;
  }

  /** The results of the last calls and the messages since the last reply. */
  get news(): string {
    const { messages } = this.#request;
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    return messages
      .slice(last + 1)
      .flatMap(({ content }) => content.map(textOf))
      .join('\n');
  }

  /** Everything that the model is given: tools, rules and the whole conversation. */
  get all(): string {
    const { tools, system, messages } = this.#request;
    const spoken = messages.flatMap(({ content }) => content.map(textOf));
    return [JSON.stringify(tools), ...system.map(textOf), ...spoken].join('\n');
  }
}

function textOf(block: Block): string {
  if (block.type === 'text') return String(block['text']);
  if (block.type !== 'tool_result') return '';
  const content = block['content'];
  return Array.isArray(content) ? content.map((inner) => textOf(inner as Block)).join('\n') : String(content ?? '');
}

/** One reply that was given. */
export interface Spent {
  readonly role: Assignment['role'];
  /** Null if the session works on no single feature. */
  readonly feature: string | null;
  readonly usage: Usage;
  readonly lacking: string | null;
  /** As it was sent. */
  readonly body: string;
}

interface Conversation {
  readonly subject: string;
  readonly script: Script;
}

export class PlayedModel {
  readonly spent: Spent[] = [];
  /** Requests for which no script has a reply. */
  readonly faults: string[] = [];
  readonly #play: Player;
  readonly #conversations = new Map<string, Conversation>();
  readonly #cache = new PromptCache();

  constructor(play: Player) {
    this.#play = play;
  }

  answer(path: string, body: string): Answer {
    const read = readRequest(body);
    if (!read.ok) return this.#fault(read.message);
    const { request } = read;
    if (path.split('?', 1)[0] !== '/v1/messages') return { kind: 'tokens', inputTokens: countInputTokens(request) };
    const position = positionOf(request);
    if (position === null) return this.#fault('a request without an assignment');
    const reply = this.#reply(request, position);
    if (reply === null) return this.#fault(`no reply is left for ${JSON.stringify(position)}`);
    const turn = { text: reply.text ?? '', calls: [...(reply.calls ?? [])] };
    const made = makeReply(request, turn as never, this.#cache.use(request));
    const { assignment } = position;
    const feature = 'feature' in assignment ? assignment.feature : null;
    this.spent.push({ role: assignment.role, feature, usage: made.usage, lacking: reply.lacking ?? null, body });
    return { kind: 'reply', reply: made, stream: request.stream };
  }

  /** A new conversation, or one that is given another feature, begins a script: it knows what its request states, and no more. */
  #reply(request: MessagesRequest, { assignment }: Position): Reply | null {
    const key = JSON.stringify(request.messages[0]?.content.map(textOf));
    const subject = JSON.stringify({ ...assignment, attempt: 0 });
    const known = this.#conversations.get(key);
    const given = new Request(request, assignment);
    const isNew = known === undefined || known.subject !== subject || request.messages.length === 1;
    const script = isNew ? this.#play(given) : known.script;
    this.#conversations.set(key, { subject, script });
    const step = script.next(given);
    return step.done === true ? null : step.value;
  }

  #fault(message: string): Answer {
    this.faults.push(message);
    return { kind: 'error', status: 400, type: 'invalid_request_error', message, exhausted: true };
  }
}
