/** What a session of another agent stands on in a test: an agent that plays a script, a journal in memory, a tree that is a number. */
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import { type ExternalSession, openExternalSession } from '../../../src/engine/agent/agentSession.ts';
import type { AgentOrder, AgentUpdate, RunningAgent, TurnEnd } from '../../../src/engine/agent/ports.ts';
import type { ExternalPorts, Reported } from '../../../src/engine/agent/sessionPorts.ts';
import type { SessionSpec, TranscriptEntry } from '../../../src/engine/session/ports.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { TodoItem } from '../../../src/shared/job/todo.ts';
import { workerSpec } from '../session/sessionBench.ts';
import { FakeClock } from '../time/fakeClock.ts';

/** What an agent does in a turn, one after the other. A turn that comes to the end of its acts ends. */
export type Act =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'tool'; readonly update: Omit<Extract<AgentUpdate, { kind: 'tool' }>, 'kind'> }
  | { readonly do: 'plan'; readonly entries: readonly TodoItem[] }
  /** Calls a tool of ours. */
  | { readonly do: 'call'; readonly tool: string; readonly input: unknown }
  /** Asks its model through us; `calls`: what that one wants to call. `alone`: somebody who only found the token asks. */
  | {
      readonly do: 'ask';
      readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
      readonly alone?: boolean;
    }
  | { readonly do: 'write' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'report'; readonly used: Reported }
  | {
      readonly do: 'fail';
      readonly code: 'AGENT_DIED' | 'AGENT_SILENT' | 'AGENT_FLOOD' | 'AGENT_LOGIN' | 'AGENT_UNUSABLE';
    }
  /** Until it is cancelled; `deaf`: it is killed then. */
  | { readonly do: 'hang'; readonly deaf: boolean }
  /** Does not hear that it is cancelled, and goes on with what comes next. */
  | { readonly do: 'ignore' }
  | { readonly do: 'end'; readonly reason: TurnEnd['reason']; readonly text?: string; readonly used?: Reported };

export class ExternalBench {
  entries: TranscriptEntry[] = [];
  readonly clock = new FakeClock();
  /** Each is taken by one turn; when none is left, a turn ends at once. */
  turns: Act[][] = [];
  readonly prompts: string[] = [];
  readonly orders: AgentOrder[] = [];
  /** What our tools told it. */
  readonly told: { ok: boolean; text: string }[] = [];
  readonly booked: (readonly [string, unknown])[] = [];
  /** Each list that was stored. */
  readonly todo: (readonly TodoItem[])[] = [];
  abort = new AbortController();
  limits = { turns: 100, tokens: 1_000_000, seconds: 3_600, microUsd: 1_000_000 };
  used = { turns: 0, sessionTurns: 0, tokens: 0, contextTokens: 0 };
  /** Of the tree. */
  version = 0;
  readonly restored: (string | null)[] = [];
  running = 0;
  resumes = true;
  ownAccount = false;
  /** A call of the model comes to this, if anything. */
  onCall: () => void = () => undefined;
  #session: ExternalSession | null = null;
  /** By the model, in its next answer. */
  #wanted: readonly { readonly name: string; readonly input: unknown }[] = [];

  open(spec: SessionSpec = workerSpec(), changes: Partial<ExternalPorts> = {}): ExternalSession {
    this.#session = openExternalSession(spec, this.#ports(changes));
    return this.#session;
  }

  #ports(changes: Partial<ExternalPorts>): ExternalPorts {
    return {
      sessionId: 1,
      executor: 'scripted',
      fetch: async () => {
        this.onCall();
        const { turns, sessionTurns, tokens } = this.used;
        this.used = { ...this.used, turns: turns + 1, sessionTurns: sessionTurns + 1, tokens: tokens + 10 };
        const content = this.#wanted.map((call) => ({ type: 'tool_use', ...call }));
        return Response.json({ content });
      },
      workdir: '/clone',
      files: openTree('/clone'),
      transcript: {
        entries: [...this.entries],
        append: async (entry) => {
          await Promise.resolve();
          this.entries.push(structuredClone(entry));
        },
      },
      sessionTools: {
        addNote: async () => ({ ok: true, text: 'Note added' }),
        notes: async () => '',
        setTodo: async (items) => {
          this.todo.push(items);
          return { ok: true, text: 'Stored' };
        },
      },
      limits: this.limits,
      clock: this.clock,
      checkpoint: async () => `tree-${this.version}`,
      restore: async (checkpoint) => {
        this.restored.push(checkpoint);
        this.version = Number(checkpoint?.slice('tree-'.length) ?? 0);
      },
      live: () => undefined,
      signal: this.abort.signal,
      open: (order) => this.#start(order),
      used: () => this.used,
      account: this.ownAccount ? { reserve: (tokens) => this.#reserve(tokens) } : null,
      ...changes,
    };
  }

  async #reserve(tokens: number): ReturnType<NonNullable<ExternalPorts['account']>['reserve']> {
    this.booked.push(['reserve', tokens]);
    return {
      settle: async (reported) => void this.booked.push(['settle', reported]),
      unsettle: async (reason) => void this.booked.push(['unsettle', reason]),
    };
  }

  async #start(order: AgentOrder): Promise<RunningAgent> {
    this.orders.push(order);
    this.running++;
    const resumed = this.resumes && order.resume !== null;
    let open = true;
    return {
      facts: { name: 'scripted', title: 'Scripted', version: '1.0', protocol: 1, resumed },
      conversation: this.resumes ? (order.resume ?? `own-${this.orders.length}`) : null,
      prompt: (text, signal) => this.#turn(order, text, signal),
      close: async () => {
        if (open) this.running--;
        open = false;
      },
    };
  }

  async #turn(order: AgentOrder, text: string, signal: AbortSignal): Promise<TurnEnd> {
    this.prompts.push(text);
    let said = '';
    const acts = this.turns.shift() ?? [];
    for (const [index, act] of acts.entries()) {
      if (signal.aborted && !acts.slice(0, index).some((one) => one.do === 'ignore')) return ended('cancelled', said);
      if (act.do === 'say') said = act.text;
      const end = await this.#act(order, act, signal);
      if (end !== null) return { ...end, text: end.text || said };
      await Promise.resolve();
    }
    return ended('end', said);
  }

  async #act(order: AgentOrder, act: Act, signal: AbortSignal): Promise<TurnEnd | null> {
    switch (act.do) {
      case 'say':
        order.heard({ kind: 'text', message: null, text: act.text });
        return null;
      case 'tool':
        order.heard({ kind: 'tool', ...act.update });
        return null;
      case 'plan':
        order.heard({ kind: 'plan', entries: act.entries });
        return null;
      case 'call':
        this.told.push(await this.call(act.tool, act.input));
        return null;
      case 'ask':
        this.#wanted = act.calls ?? [];
        await this.#session
          ?.fetch('http://gateway/v1/messages', { body: act.alone === true ? 'Approve.' : (this.prompts.at(-1) ?? '') })
          .then((answer) => answer.text())
          .catch((thrown: unknown) => order.refused(thrown));
        return null;
      case 'write':
        this.version++;
        return null;
      case 'wait':
        this.clock.advance(act.ms);
        return null;
      case 'report':
        order.heard({ kind: 'usage', ...act.used });
        return null;
      case 'fail':
        throw failure(act.code, `it ${act.code}`);
      case 'hang':
        return this.#hang(act.deaf, signal);
      case 'ignore':
        return null;
      case 'end':
        return { ...ended(act.reason, act.text ?? ''), ...act.used };
    }
  }

  /** Time goes on meanwhile, so that whatever waits for it ends it. */
  async #hang(deaf: boolean, signal: AbortSignal): Promise<TurnEnd> {
    for (let seconds = 0; !signal.aborted && seconds < 10_000; seconds++) {
      this.clock.advance(1_000);
      await Promise.resolve();
    }
    if (deaf) throw failure('AGENT_DIED', 'it was killed, since it did not listen');
    return ended('cancelled', '');
  }

  async call(tool: string, input: unknown): Promise<{ ok: boolean; text: string }> {
    const found = this.#session?.tools.find(({ name }) => name === tool);
    if (found === undefined) throw new Error(`there is no tool ${tool}`);
    return found.call(input);
  }
}

function ended(reason: TurnEnd['reason'], text: string): TurnEnd {
  return { reason, text, usage: null, costMicroUsd: null };
}

export const reports = (outcome = 'done', summary = 'It works.'): Act => ({
  do: 'call',
  tool: 'report',
  input: { outcome, summary },
});

export const edits = (id: string): Act => ({
  do: 'tool',
  update: { id, title: `Edit ${id}`, what: 'edit', input: { path: id }, status: 'completed', output: 'ok' },
});
