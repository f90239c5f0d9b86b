/** Declares the environment of an external agent's session, and the factory of sessions. Types only. */

import type { SessionCommands } from '../session/ports.ts';
import type { SessionDirectory } from '../session/sessionDirectory.ts';
import type { AgentOrder, RunningAgent } from './ports.ts';

/** The environment of an external agent's session. */
export interface AgentWorld {
  readonly place: SessionDirectory;
  /** Folders beside the clone that it may read. */
  readonly readable: readonly string[];
  /** The gateway's door of its session. */
  readonly fetch: typeof fetch;
  /** Runs a command for it under the command policy: its terminals. */
  readonly commands: SessionCommands;
  /** argv lists that may run without a sandbox. */
  readonly allowed: readonly (readonly string[])[];
  /**
   * Asks the steward, unless already answered, whether this may run without a sandbox, and waits for the answer. `agent` is the
   * title of the agent that the command starts.
   */
  mayRun(command: string, agent?: string): Promise<boolean>;
}

/** Agents that the user has installed. */
export interface Agents {
  /**
   * Whether its calls are paid through the gateway instead of a separate account. Throws AGENT_MISSING if the executor is
   * unknown.
   */
  paidByUs(executor: string): Promise<boolean>;
  /** See `OpenAgent`. */
  open(order: AgentOrder, world: AgentWorld): Promise<RunningAgent>;
}
