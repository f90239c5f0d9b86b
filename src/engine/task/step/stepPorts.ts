/** Declares the dependencies of task steps in a project's thread. */

import type { Clock } from '../../../shared/clock.ts';
import type { Json } from '../../../shared/task/tasks.ts';
import type { StepAssignment, StepResult } from '../../../shared/task/taskWork.ts';
import type { GitPort } from '../../job/gitPorts.ts';
import type { CommandRunner } from '../../session/commandPorts.ts';
import type { OpenTree, Transcript } from '../../session/ports.ts';
import type { LoopStore } from '../../state/loopStore.ts';

export type OrderOf<K extends StepAssignment['kind']> = Extract<StepAssignment, { readonly kind: K }>;

/** `fault`: why there is none, one sentence for a person. */
export type HttpGetAnswer = { readonly body: Json } | { readonly fault: string };

/** Gets one URL of an allowed host; redirects lead to allowed ones too. Rejects only when the signal aborts. */
export type HttpGet = (
  request: Pick<OrderOf<'http_get'>, 'url' | 'headers' | 'maxBytes' | 'timeoutMs' | 'as' | 'allowedHosts'>,
  signal: AbortSignal,
) => Promise<HttpGetAnswer>;

export interface StepPorts {
  readonly store: LoopStore;
  readonly clock: Clock;
  readonly commands: CommandRunner;
  readonly git: Pick<GitPort, 'makeClone'>;
  readonly httpGet: HttpGet;
  /** The repository that the project works on. */
  readonly repository: string;
  /** Folder of the clones of this workspace's tasks. */
  readonly tasksDir: string;
  openTranscript(sessionId: number): Promise<Transcript & { close(): Promise<void> }>;
  gatewayFetch(sessionId: number): typeof fetch;
  readonly openTree: OpenTree;
  /** Whether a folder exists. */
  isThere(folder: string): Promise<boolean>;
}

/** One kind of step. The caller handles its errors. */
export type StepWork<K extends StepAssignment['kind']> = (
  ports: StepPorts,
  order: OrderOf<K>,
  signal: AbortSignal,
) => Promise<StepResult>;
