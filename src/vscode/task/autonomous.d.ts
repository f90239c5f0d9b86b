/**
 * The API that the extension `autonomous.autonomous` exports to other extensions. Copy this file beside your code:
 *
 *     const autonomous = vscode.extensions.getExtension<AutonomousApi>('autonomous.autonomous');
 *     const api = await autonomous?.activate();
 *     context.subscriptions.push(api.registerStepAction('publisher.extension/action', { … }));
 */

/** What a step is given, and what comes of it: plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface StepCall {
  readonly taskId: string;
  readonly stepId: number;
  /** Aborted when the task is cancelled, or when the window closes. What was interrupted is carried out again later. */
  readonly signal: AbortSignal;
}

export interface StepAction {
  /** What it does, in a sentence: shown where tasks are written. */
  readonly description: string;
  /** JSON Schema of its parameters: for completion and hovers. */
  readonly params?: object;
  /**
   * Its JSON is the step's result. What it throws is why the step failed. A step that was interrupted by a reload is carried out
   * again: where doing it twice would matter, look first whether it is done. At most 4 MB.
   */
  run(params: { readonly [key: string]: Json }, call: StepCall): Promise<Json>;
}

export interface AutonomousApi {
  readonly version: 1;
  /**
   * Offers an action to the steps of long-running tasks. `name` begins with the id of your own extension, `publisher.extension/action`.
   * A task that waits for it goes on. It is carried out in the window that owns the folder, in trusted folders alone.
   * Throws when the name does not fit, or is taken. Disposing what it returns takes the action back.
   */
  registerStepAction(name: string, action: StepAction): { dispose(): void };
}
