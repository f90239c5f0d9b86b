/** What a session of another agent is given, and who opens one. Types alone. */

import type { SessionCommands } from '../session/ports.ts';
import type { SessionDirectory } from '../session/sessionDirectory.ts';
import type { AgentOrder, RunningAgent } from './ports.ts';

/** What a session of another agent finds around it. */
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
   * Asks the steward, unless he has answered, whether this may run without a sandbox; waits for the answer. `agent`: it is
   * what starts the agent of this title.
   */
  mayRun(command: string, agent?: string): Promise<boolean>;
}

/** Agents of the user's own. */
export interface Agents {
  /** Whether its calls are paid through the gateway, or with an account of its own. Throws AGENT_MISSING: nobody knows it. */
  paidByUs(executor: string): Promise<boolean>;
  /** As `OpenAgent`. */
  open(order: AgentOrder, world: AgentWorld): Promise<RunningAgent>;
}
