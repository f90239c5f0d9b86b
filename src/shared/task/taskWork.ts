/** Work of a step that goes out of the owner, to its project's thread (plain data) or to another extension, and what comes back. */

import type { NewApproval } from '../approval.ts';
import type { SessionEnd, Unavailable } from '../session.ts';
import type { Json, JsonObject } from './tasks.ts';

interface Generate {
  readonly kind: 'generate';
  /** `task`: a step's own answer. `summarizer`: a checkpoint's, or the whole task's at its end. */
  readonly role: 'task' | 'summarizer';
  readonly model: string;
  /** null: that of all steps. */
  readonly system: string | null;
  readonly prompt: string;
  readonly maxTokens: number;
  /** null: the model's own. */
  readonly temperature: number | null;
}

interface Command {
  readonly kind: 'command';
  readonly command: string;
  readonly timeoutMs: number;
  /** `registries`: the package registries that setup commands may reach too. */
  readonly network: 'none' | 'registries';
  /** The task's clone; null: it is made first, and told by `task_cloned`. */
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
  /** The session that was begun for it and is still open: it is resumed, and nothing is paid twice. */
  readonly sessionId: number | null;
} & (Generate | Command | HttpGet | Custom);

/** What a project's thread carries out, with what its owner adds. */
export type StepAssignment = Exclude<StepOrder, { readonly kind: 'custom' }> & {
  /** Hosts that the user lets tasks reach, e.g. `api.github.com`, `localhost:8080`. */
  readonly allowedHosts: readonly string[];
};

export type StepResult =
  /** `result` as it is; who takes it decides whether it goes into a row or an artifact. */
  | { readonly outcome: 'completed'; readonly result: Json; readonly session: SessionEnd | null }
  | { readonly outcome: 'failed'; readonly error: string; readonly result: Json; readonly session: SessionEnd | null }
  /**
   * Nobody may carry it out before the steward answers: a command without a sandbox, or one that wants the network. Once it is
   * approved the same order is simply given again: whoever carries it out finds the answer by its subject.
   */
  | {
      readonly outcome: 'ask';
      readonly asked: Pick<NewApproval, 'kind' | 'subject' | 'question' | 'detail' | 'choices'>;
    }
  | Unavailable
  /** What carried it out died. */
  | { readonly outcome: 'interrupted'; readonly error: string }
  /** It was told to stop, or its project does not run now: to be given again when it does. */
  | { readonly outcome: 'aborted' };

/** Actions that others have registered with the owner's process: custom steps are carried out by them. */
export interface StepActions {
  /** Names of all that are there now, as `publisher.extension/action`. */
  names(): readonly string[];
  /** Rejects, or gives what is no JSON: the step failed. */
  run(
    action: string,
    params: JsonObject,
    about: { readonly taskId: string; readonly stepId: number; readonly signal: AbortSignal },
  ): Promise<unknown>;
  /** Calls back when one is registered or gone. Returns how to stop. */
  changed(listener: () => void): () => void;
}

/** Why a task waits for an action that nobody has registered (yet): its extension may come later. */
export const missingAction = (action: string): string => `no extension has registered the action ${action}`;
