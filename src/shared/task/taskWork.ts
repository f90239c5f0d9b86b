/** Work of a step that the owner sends to its project's thread (plain data) or to another extension, and its result. */

import type { NewApproval } from '../approval.ts';
import type { SessionEnd, Unavailable } from '../session.ts';
import type { Json, JsonObject } from './tasks.ts';

interface Generate {
  readonly kind: 'generate';
  /** `task`: a step's own answer. `summarizer`: a checkpoint's, or the whole task's at its end. */
  readonly role: 'task' | 'summarizer';
  readonly model: string;
  /** Null for the system prompt of all steps. */
  readonly system: string | null;
  readonly prompt: string;
  readonly maxTokens: number;
  /** Null for the model's default. */
  readonly temperature: number | null;
}

interface Command {
  readonly kind: 'command';
  readonly command: string;
  readonly timeoutMs: number;
  /** `registries`: the package registries that setup commands may reach too. */
  readonly network: 'none' | 'registries';
  /** The task's clone. Null if it must be created first; then `task_cloned` reports it. */
  readonly cloneDir: string | null;
}

interface HttpGet {
  readonly kind: 'http_get';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly as: 'text' | 'json';
}

interface Custom {
  readonly kind: 'custom';
  /** `publisher.extension/action` */
  readonly action: string;
  readonly params: JsonObject;
}

/** References in it are filled in already. */
export type StepOrder = {
  readonly taskId: string;
  readonly projectId: string;
  readonly stepId: number;
  /** The session that was started for the step and is still open: it is resumed, and no answer is paid twice. */
  readonly sessionId: number | null;
} & (Generate | Command | HttpGet | Custom);

/** A step order for a project's thread, with the additions of its owner. */
export type StepAssignment = Exclude<StepOrder, { readonly kind: 'custom' }> & {
  /** Hosts that the user lets tasks reach, e.g. `api.github.com`, `localhost:8080`. */
  readonly allowedHosts: readonly string[];
};

export type StepResult =
  /** `result` is unchanged; the receiver decides whether it is stored in a row or an artifact. */
  | { readonly outcome: 'completed'; readonly result: Json; readonly session: SessionEnd | null }
  | { readonly outcome: 'failed'; readonly error: string; readonly result: Json; readonly session: SessionEnd | null }
  /**
   * The step must not run before the steward answers: a command without a sandbox, or one that needs the network. After the approval the same order
   * is given again, and the thread finds the answer by its subject.
   */
  | {
      readonly outcome: 'ask';
      readonly asked: Pick<NewApproval, 'kind' | 'subject' | 'question' | 'detail' | 'choices'>;
    }
  | Unavailable
  /** The process that ran the step ended. */
  | { readonly outcome: 'interrupted'; readonly error: string }
  /** The step was aborted, or its project does not run now. It is given again when the project runs. */
  | { readonly outcome: 'aborted' };

/** Actions that others have registered with the owner's process: custom steps are carried out by them. */
export interface StepActions {
  /** Names of all registered actions, as `publisher.extension/action`. */
  names(): readonly string[];
  /** Rejects, or returns a value that is not JSON, if the step failed. */
  run(
    action: string,
    params: JsonObject,
    about: { readonly taskId: string; readonly stepId: number; readonly signal: AbortSignal },
  ): Promise<unknown>;
  /** Calls back when one is registered or gone. Returns how to stop. */
  changed(listener: () => void): () => void;
}

/** The reason why a task waits for an action that is not registered. Its extension may register it later. */
export const missingAction = (action: string): string => `no extension has registered the action ${action}`;
