/** Assembles an agent's stream of updates into whole messages and whole calls, bounded, for the journal. */
import { withoutSecrets } from '../../../core/guard/secrets.ts';
import { boundedTodo } from '../../../core/job/history/todo.ts';
import { type TodoItem, todoProgress } from '../../../shared/job/todo.ts';
import { headAndTail, headOnly } from '../../session/text.ts';
import type { AgentUpdate } from '../ports.ts';

/** A finished call of one of the agent's tools. */
export interface ObservedCall {
  /** One of ACP's kinds, never the name of an engine tool, so that a call cannot pass for an answer. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly failed: boolean;
  readonly mayWrite: boolean;
}

/** A message and the call that followed it. */
export interface Observed {
  readonly text: string;
  readonly call: ObservedCall | null;
}

interface OpenCall {
  title: string;
  what: string;
  input: unknown;
  output: string;
}

const KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode'];
const HARMLESS: readonly string[] = ['read', 'search', 'think', 'fetch', 'switch_mode'];
/** Redacted before the middle is cut, because half a secret is not recognized. */
const clean = withoutSecrets();
const MAX_TEXT = 64 * 1024;
const MAX_INPUT = 16 * 1024;
const MAX_OUTPUT = 16 * 1024;
const MAX_TITLE = 200;
/** Maximum number of open calls. A further call ends the oldest. */
const MAX_OPEN = 256;
/** Calls that are remembered as over. */
const MAX_OVER = 10_000;
const NOT_HEARD = 'it is not known how this call ended';

interface UpdateAssemblerOptions {
  readonly tell: (heard: Observed) => void;
  readonly live: (text: string) => void;
  /** Receives the agent's to-do list. */
  readonly plan: (items: readonly TodoItem[]) => void;
}

export class UpdateAssembler {
  readonly #tell: (heard: Observed) => void;
  readonly #live: (text: string) => void;
  readonly #plan: (items: readonly TodoItem[]) => void;
  readonly #open = new Map<string, OpenCall>();
  /** Finished calls; later updates of them are ignored. */
  readonly #over = new Set<string>();
  #text = '';
  #cut = 0;
  #message: string | null = null;
  /** A call came in between: further text is another message. */
  #closed = false;
  #ended = false;
  #spoke = false;

  constructor({ tell, live, plan }: UpdateAssemblerOptions) {
    this.#tell = tell;
    this.#live = live;
    this.#plan = plan;
  }

  hear(update: AgentUpdate): void {
    if (this.#ended) return;
    if (update.kind === 'text') this.#addText(update.message, update.text);
    else if (update.kind === 'tool') this.#addCall(update);
    else if (update.kind === 'plan') this.#addPlan(boundedTodo(update.entries));
  }

  /** Ends a turn. If the turn had no other message, the text that came with its end is its message. */
  turnEnded(lastWords: string): void {
    if (!this.#spoke && !this.#ended) this.#addText(null, lastWords);
    this.#spoke = false;
    this.flush();
  }

  /** Emits the text so far as a separate message. */
  flush(): void {
    const text = this.#takeText();
    if (text !== '') this.#tell({ text, call: null });
  }

  /** Ends the stream. Emits open calls as they are. */
  end(): void {
    if (this.#ended) return;
    for (const id of [...this.#open.keys()]) this.#finish(id, NOT_HEARD);
    this.flush();
    this.#ended = true;
  }

  /** Ignores further updates. */
  drop(): void {
    this.#ended = true;
  }

  #addPlan(items: readonly TodoItem[]): void {
    this.#plan(items);
    this.#live(todoProgress(items)?.current ?? items[0]?.text ?? '');
  }

  #addText(message: string | null, text: string): void {
    if (this.#closed || message !== this.#message) this.flush();
    this.#closed = false;
    this.#message = message;
    this.#spoke ||= text.trim() !== '';
    const room = Math.max(0, MAX_TEXT - this.#text.length);
    this.#text += text.slice(0, room);
    this.#cut += Math.max(0, text.length - room);
  }

  #addCall(update: Extract<AgentUpdate, { kind: 'tool' }>): void {
    const { id, status } = update;
    if (this.#over.has(id)) return;
    let call = this.#open.get(id);
    if (call === undefined) {
      const [oldest] = this.#open.keys();
      if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#finish(oldest, NOT_HEARD);
      call = { title: '', what: 'other', input: undefined, output: '' };
      this.#open.set(id, call);
      this.#closed = true;
    }
    if (update.what !== undefined) call.what = KINDS.includes(update.what) ? update.what : 'other';
    if (update.input !== undefined) call.input = update.input;
    if (update.output !== undefined) call.output = headAndTail(clean(update.output), MAX_OUTPUT);
    if (update.title !== undefined && update.title !== call.title) {
      call.title = headOnly(update.title, MAX_TITLE);
      this.#live(call.title);
    }
    if (status === 'completed' || status === 'failed') this.#finish(id, status === 'failed' ? 'failed' : null);
  }

  /** `failed` is the text for a failed call without output. Null if the call succeeded. */
  #finish(id: string, failed: string | null): void {
    const call = this.#open.get(id);
    if (call === undefined) return;
    this.#open.delete(id);
    this.#over.add(id);
    const [first] = this.#over;
    if (this.#over.size > MAX_OVER && first !== undefined) this.#over.delete(first);
    this.#closed = true;
    this.#tell({
      text: this.#takeText(),
      call: {
        name: call.what,
        input: inputOf(call),
        output: call.output === '' ? (failed ?? '') : call.output,
        failed: failed !== null,
        mayWrite: !HARMLESS.includes(call.what),
      },
    });
  }

  #takeText(): string {
    const text = this.#cut === 0 ? this.#text : `${this.#text}\n[… ${this.#cut} characters left out]`;
    this.#text = '';
    this.#cut = 0;
    return text.trim();
  }
}

/** The input of a call, with its title. */
function inputOf({ title, input }: OpenCall): Readonly<Record<string, unknown>> {
  const named = title === '' ? {} : { title };
  if (input === undefined) return named;
  const text = JSON.stringify(input) ?? '';
  if (text.length > MAX_INPUT) return { ...named, input: headAndTail(text, MAX_INPUT) };
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? { ...named, ...input }
    : { ...named, input };
}
