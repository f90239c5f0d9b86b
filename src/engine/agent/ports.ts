/** What a session by somebody else's agent needs from outside. It knows no protocol, no process and no gateway. */

import type { TodoItem } from '../../shared/job/todo.ts';
import type { Usage } from '../../shared/money.ts';

/** What an agent said of itself when it was started. */
export interface AgentFacts {
  readonly name: string;
  readonly title: string;
  /** null: it did not say. */
  readonly version: string | null;
  /** Of ACP; null: it speaks none. */
  readonly protocol: number | null;
  /** An earlier conversation was taken up again. */
  readonly resumed: boolean;
}

/** What an agent does, as it says so: for people and for the transcript, never evidence. One form for all of them. */
export type AgentUpdate =
  /** A piece of what it says; pieces of one `message` belong together. */
  | { readonly kind: 'text'; readonly message: string | null; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  /** The newest word about a call of one of its own tools; what is absent stays as it was. */
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly title?: string;
      /** `read`, `edit`, `execute`, … as in ACP. */
      readonly what?: string;
      readonly input?: unknown;
      readonly status?: 'running' | 'completed' | 'failed';
      readonly output?: string;
    }
  /** Its own to-do list, whole. */
  | { readonly kind: 'plan'; readonly entries: readonly TodoItem[] }
  /** Totals so far as it reports them. */
  | { readonly kind: 'usage'; readonly usage: Usage | null; readonly costMicroUsd: number | null };

/** How a turn ended. What the agent claims to have done is in its report alone. */
export interface TurnEnd {
  readonly reason: 'end' | 'max_tokens' | 'max_turns' | 'refusal' | 'cancelled';
  /** Its last words. */
  readonly text: string;
  /** Of this turn, where it says so. */
  readonly usage: Usage | null;
  readonly costMicroUsd: number | null;
}

/**
 * A running agent with one conversation. Everything it started is gone when `close` resolves. Failures, all typed:
 * AGENT_DIED it ended in mid-turn; AGENT_SILENT no sign for too long; AGENT_FLOOD more than may be read; AGENT_LOGIN it is
 * not signed in; AGENT_UNUSABLE an answer in no form we know.
 */
export interface RunningAgent {
  readonly facts: AgentFacts;
  /** To take the conversation up again; null: it cannot. */
  readonly conversation: string | null;
  /** One turn. After `signal` aborts it ends as `cancelled`, or is killed when it does not listen. */
  prompt(text: string, signal: AbortSignal): Promise<TurnEnd>;
  close(): Promise<void>;
}

/** What the engine of a session wants of an agent that is to be started. */
export interface AgentOrder {
  /** Name in the data file. */
  readonly executor: string;
  readonly sessionId: number;
  readonly model: string;
  /** Text that says how to behave; goes before the first prompt where an agent has no place for it. */
  readonly system: string;
  /** The clone. */
  readonly workdir: string;
  /** It may write the clone. */
  readonly writes: boolean;
  /** Its answer approves what lies there, or not. */
  readonly judges: boolean;
  /** An earlier conversation to take up, if it can. */
  readonly resume: string | null;
  heard(update: AgentUpdate): void;
  /** A call was refused for money, key or provider: the first such failure. The turn is to end. */
  refused(thrown: unknown): void;
  readonly signal: AbortSignal;
}

/** A tool of ours as an agent sees it: over MCP, or as a verb of the session's script. */
export interface OurTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Text for the model. */
  call(input: unknown): Promise<{ readonly ok: boolean; readonly text: string }>;
}

/**
 * Starts an agent. Besides the failures of `RunningAgent`: AGENT_MISSING it is not installed or not known, AGENT_VERSION it
 * speaks a protocol that we do not, NOT_PERMITTED the steward does not let it run without a sandbox, ABORTED.
 */
export type OpenAgent = (order: AgentOrder) => Promise<RunningAgent>;
