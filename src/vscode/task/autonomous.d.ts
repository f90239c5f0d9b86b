/**
 * The API that the extension `autonomous.autonomous` exports to other extensions. Copy this file beside your code:
 *
 *     const autonomous = vscode.extensions.getExtension<AutonomousApi>('autonomous.autonomous');
 *     const api = await autonomous?.activate();
 *     context.subscriptions.push(api.registerStepAction('publisher.extension/action', { … }));
 */

/** Input and output of a step: plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface StepCall {
  readonly taskId: string;
  readonly stepId: number;
  /** Aborted when the task is cancelled, or when the window closes. What was interrupted is carried out again later. */
  readonly signal: AbortSignal;
}

export interface StepAction {
  /** One sentence on the action, shown in the editor of tasks. */
  readonly description: string;
  /** JSON Schema of its parameters: for completion and hovers. */
  readonly params?: object;
  /**
   * Runs the action. The returned JSON is the step's result; a thrown error is the cause of its failure. A step that a reload interrupted is repeated:
   * if a second effect would matter, check first whether it is done. Results are limited to 4 MB.
   */
  run(params: { readonly [key: string]: Json }, call: StepCall): Promise<Json>;
}

export interface AutonomousApi {
  readonly version: 1;
  /**
   * Registers an action for the steps of long-running tasks. `name` starts with the id of your extension: `publisher.extension/action`. Tasks that
   * are blocked because the action was missing resume. The action runs in the window that owns the folder, and only in trusted folders. Throws if the
   * name is invalid or taken. Dispose the returned object to unregister the action.
   */
  registerStepAction(name: string, action: StepAction): { dispose(): void };
}
