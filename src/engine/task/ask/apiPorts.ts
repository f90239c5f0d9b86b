/** Declares the engine's operations for the API. Implemented by `EngineTaskService`. */

import type { StepDefinition, TaskDefinition } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';

export type NewTask = { readonly project?: string | undefined; readonly start: boolean } & (
  | { readonly definition: TaskDefinition }
  | { readonly template: string; readonly parameters: Readonly<Record<string, string | number | boolean>> }
);

/** Every method rejects with an `AutonomousError`. Once a change resolves, `state` includes it. */
export interface TaskService {
  /** The current state, never that of an owner that has ended. Throws OWNER_UNREACHABLE or the like if no owner answers. */
  state(): Promise<State>;
  create(task: NewTask): Promise<{ readonly taskId: string; readonly problems: readonly string[] }>;
  addSteps(taskId: string, steps: readonly StepDefinition[]): Promise<readonly string[]>;
  start(taskId: string): Promise<void>;
  pause(taskId: string, reason: string | undefined): Promise<void>;
  /**
   * A running task that is waiting retries now. `budgetUsd` is its new limit: null for no limit, undefined to keep the old one.
   */
  resume(taskId: string, budgetUsd: number | null | undefined): Promise<void>;
  cancel(taskId: string, reason: string | undefined): Promise<void>;
  retry(taskId: string): Promise<void>;
  /** Calls back after each commit, and when another owner is followed. Returns how to stop. */
  follow(heard: () => void): () => void;
}
