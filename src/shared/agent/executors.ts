/** The agent of a session: the built-in agent, or one that the user installed. The data about an agent is one line of a data file. */

/** The agent that is part of this product. */
export const BUILT_IN = 'builtin';

/** Roles of a job that another agent may take. */
export const EXECUTOR_ROLES = ['planner', 'worker', 'reviewer'] as const;
export type ExecutorRole = (typeof EXECUTOR_ROLES)[number];

/** Maximum number of agents that attempt one feature as candidates. */
export const MAX_CANDIDATES = 5;

/** The result of probing an agent on this machine. */
export interface AgentProbe {
  readonly name: string;
  readonly title: string;
  readonly state: 'ready' | 'missing' | 'login' | 'unusable';
  /** The fault, or the agent's abilities, in one sentence. */
  readonly detail: string;
  /** The fix. Empty if none is needed. */
  readonly fix: string;
  readonly version: string | null;
  readonly protocol: number | null;
  /** e.g. `resumes`, `asks permission`, `MCP`, `priced by us`. */
  readonly can: readonly string[];
  readonly lacks: readonly string[];
  /** Whether its calls go through the gateway. */
  readonly priced: boolean;
}
