/** Declares the dependencies of an external agent's session. Independent of protocol, process and gateway. */

import type { TodoItem } from '../../shared/job/todo.ts';
import type { Usage } from '../../shared/money.ts';

/** An agent's description of itself at its start. */
export interface AgentFacts {
  readonly name: string;
  readonly title: string;
  /** Null if the agent did not report one. */
  readonly version: string | null;
  /** Version of ACP. Null if the agent does not use ACP. */
  readonly protocol: number | null;
  /** An earlier conversation was taken up again. */
  readonly resumed: boolean;
}

/** An agent's report of its activity, for people and the transcript; never evidence. One form for all agents. */
export type AgentUpdate =
  /** A piece of a message; pieces with the same `message` belong together. */
  | { readonly kind: 'text'; readonly message: string | null; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  /** The newest state of a call of one of the agent's tools. Absent fields are unchanged. */
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
  /** The agent's whole to-do list. */
  | { readonly kind: 'plan'; readonly entries: readonly TodoItem[] }
  /** Totals so far as it reports them. */
  | { readonly kind: 'usage'; readonly usage: Usage | null; readonly costMicroUsd: number | null };

/** The end of a turn. The agent's claim about its work is only in its report. */
export interface TurnEnd {
  readonly reason: 'end' | 'max_tokens' | 'max_turns' | 'refusal' | 'cancelled';
  /** The last message. */
  readonly text: string;
  /** Usage of this turn, if the agent reports it. */
  readonly usage: Usage | null;
  readonly costMicroUsd: number | null;
}

/**
 * A running agent with one conversation. When `close` resolves, all its processes have ended. Typed failures: AGENT_DIED if it
 * ended during a turn; AGENT_SILENT if it sent nothing for too long; AGENT_FLOOD if it sent too much; AGENT_LOGIN if it is not
 * signed in; AGENT_UNUSABLE if its answer has an unknown form.
 */
export interface RunningAgent {
  readonly facts: AgentFacts;
  /** Id for resuming the conversation. Null if the agent cannot resume it. */
  readonly conversation: string | null;
  /** Runs one turn. After `signal` aborts, it ends as `cancelled`, or the process is killed if it does not react. */
  prompt(text: string, signal: AbortSignal): Promise<TurnEnd>;
  close(): Promise<void>;
}

/** The requirements of a session for the agent to start. */
export interface AgentOrder {
  /** Name in the data file. */
  readonly executor: string;
  readonly sessionId: number;
  readonly model: string;
  /** The behavior rules. Prepended to the first prompt if the agent has no system prompt. */
  readonly system: string;
  /** The clone. */
  readonly workdir: string;
  /** Whether it may write the clone. */
  readonly writes: boolean;
  /** Whether its answer approves the content of the clone. */
  readonly judges: boolean;
  /** An earlier conversation to take up, if it can. */
  readonly resume: string | null;
  heard(update: AgentUpdate): void;
  /** Receives the first failure of a call that was refused for money, key or provider. The turn must end. */
  refused(thrown: unknown): void;
  readonly signal: AbortSignal;
}

/** An engine tool as an agent sees it: over MCP, or as a verb of the session's script. */
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
