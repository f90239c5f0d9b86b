/**
 * Decides whether a verdict comes from the agent's model. The script and the MCP server of a session answer every process in its
 * agent's shell, and a reviewer may run the code under review. So a verdict through them counts only if the agent's model gave
 * the same one.
 * If the gateway pays, the proof is an answer through the gateway to a request with this session's mark; with a separate account,
 * only the agent's updates about its calls are visible.
 * A report and a plan need no proof. A report decides nothing: the engine runs the commands, and a process that could forge a
 * report can write the tree anyway. A plan only proposes work: its form, the steward at the plan gate, the reviewer and the merge
 * gate check it and its result. It grants nothing.
 */
import { randomUUID } from 'node:crypto';
import { namedVerdict } from '../../../core/agent/namedVerdicts.ts';
import { AnsweredCalls } from '../../../core/model/answeredCalls.ts';
import { isFields } from '../../../core/text/json.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { AgentRole } from '../../../shared/session.ts';
import type { AgentUpdate } from '../ports.ts';

/** News of a call and the call itself come by different ways. */
const WAIT_MS = 2_000;
/** Number of remembered calls of an agent: only a recent call can be the one with the answer. */
const MAX_CALLS = 1_000;

interface VerdictAuthenticatorOptions {
  readonly role: AgentRole;
  readonly paidByUs: boolean;
  readonly clock: Pick<Clock, 'timer'>;
}

export class VerdictAuthenticator {
  readonly #judges: boolean;
  readonly #paidByUs: boolean;
  readonly #clock: VerdictAuthenticatorOptions['clock'];
  /** Occurs in the agent's prompt and in no file. A call without it came from another process that found the session's token. */
  readonly #mark: string = randomUUID();
  readonly #said = new Set<string>();
  readonly #calls = new Map<string, { title: string; input: unknown }>();
  #news: () => void = () => undefined;

  constructor({ role, paidByUs, clock }: VerdictAuthenticatorOptions) {
    this.#judges = role === 'reviewer';
    this.#paidByUs = paidByUs;
    this.#clock = clock;
  }

  /** Words of one life of the agent are no witness of the next. */
  begin(): void {
    this.#said.clear();
    this.#calls.clear();
  }

  /** The agent's prompt, with the mark if a proof is needed. */
  marked(text: string): string {
    return this.#judges && this.#paidByUs ? `${text}\n\n(Mark of this session, not to be shared: ${this.#mark})` : text;
  }

  /** Wraps the model endpoint: the model's answer is read before the agent receives it. */
  watching(door: typeof fetch): typeof fetch {
    if (!this.#judges || !this.#paidByUs) return door;
    return async (input, init) => {
      const answer = await door(input, init);
      const asked = typeof init?.body === 'string' ? init.body : '';
      return asked.includes(this.#mark) ? this.#read(answer) : answer;
    };
  }

  heard(update: AgentUpdate): void {
    if (!this.#judges || this.#paidByUs || update.kind !== 'tool') return;
    const known = this.#calls.get(update.id) ?? { title: '', input: undefined };
    const call = { title: update.title ?? known.title, input: update.input ?? known.input };
    if (this.#calls.size >= MAX_CALLS) this.#calls.clear();
    this.#calls.set(update.id, call);
    this.#take({ name: call.title, input: call.input });
  }

  /** Whether the model gave this answer. A malformed verdict is left to the check of its form if the model named the tool. */
  async vouches(input: unknown): Promise<boolean> {
    if (!this.#judges) return true;
    const word = isFields(input) ? String(input['verdict']) : '';
    if (this.#said.has(word)) return true;
    if (this.#paidByUs) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.timer(WAIT_MS, resolve);
    this.#news = () => (this.#said.has(word) ? resolve() : undefined);
    await promise;
    cancel();
    return this.#said.has(word);
  }

  #take(call: { readonly name: string; readonly input: unknown }): void {
    const word = namedVerdict(call);
    if (word === null) return;
    this.#said.add(word);
    this.#news();
  }

  #read(answer: Response): Response {
    const { body, headers, status } = answer;
    if (body === null) return answer;
    const calls = new AnsweredCalls(headers.get('content-type') ?? '');
    const decoder = new TextDecoder();
    const read = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, passed) => {
        for (const call of calls.push(decoder.decode(bytes, { stream: true }))) this.#take(call);
        passed.enqueue(bytes);
      },
    });
    return new Response(body.pipeThrough(read), { status, headers });
  }
}
