/** Who does a session: the built-in agent, or one of the user's own. What is known of an agent is one line of a data file. */

/** The agent that is part of this product. */
export const BUILT_IN = 'builtin';

/** Roles of a job that another agent may take. */
export const EXECUTOR_ROLES = ['planner', 'worker', 'reviewer'] as const;
export type ExecutorRole = (typeof EXECUTOR_ROLES)[number];

/** Agents that lie side by side at one feature. */
export const MAX_CANDIDATES = 5;

/** What a look at an agent on this machine found. */
export interface AgentProbe {
  readonly name: string;
  readonly title: string;
  readonly state: 'ready' | 'missing' | 'login' | 'unusable';
  /** What is wrong, or what it can do, one sentence. */
  readonly detail: string;
  /** What to do about it; empty: nothing. */
  readonly fix: string;
  readonly version: string | null;
  readonly protocol: number | null;
  /** e.g. `resumes`, `asks permission`, `MCP`, `priced by us`. */
  readonly can: readonly string[];
  readonly lacks: readonly string[];
  /** Its calls go through the gateway. */
  readonly priced: boolean;
}
