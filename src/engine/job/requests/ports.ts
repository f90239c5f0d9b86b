/** Declares the dependencies of request handlers, and their shared lookups. */
import type { z } from 'zod';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { need } from '../../../core/state/rows.ts';
import type { AgentEntries } from '../../../shared/agent/executorSchemas.ts';
import type { Clock } from '../../../shared/clock.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobOptions, JobRow } from '../../../shared/job/rows.ts';
import type { REQUESTS, RequestAnswer, RequestName } from '../../state/api.ts';
import type { Store } from '../../state/store.ts';
import type { FilingCheck } from '../filing.ts';
import type { GitPort } from '../gitPorts.ts';
import type { TermsPorts } from './terms.ts';

export interface RequestPorts extends TermsPorts {
  readonly store: Store;
  readonly git: GitPort;
  readonly clock: Clock;
  readonly projectDir: string;
  /** Folder of this workspace's jobs. */
  readonly jobsDir: string;
  readonly defaults: JobOptions;
  /** Known agents, and which of them pay with a separate account. */
  agents(): Promise<AgentEntries>;
  /** Throws NOT_READY before anything is filed that could not run. */
  readonly ready: FilingCheck;
  /** Returns the name to store in the job's options. Throws SCENARIO_INVALID. */
  resolveScenario(name: string | null): Promise<string | null>;
  /** Starts a job of the project. */
  work(jobId: string): void;
}

export type Input<N extends RequestName> = z.output<(typeof REQUESTS)[N]>;
/** Handled by `engine/project/requests.ts`. */
export type ProjectRequestName =
  | 'createProject'
  | 'defineProject'
  | 'suspendProject'
  | 'resumeProject'
  | 'completeProject'
  | 'archiveProject'
  | 'unparkProject'
  | 'adoptProject'
  | 'sendMessage'
  | 'stopTurn'
  | 'markRead';

/** Handled by `engine/task/ask/requests.ts`. */
export type TaskRequestName =
  | 'createTask'
  | 'defineTask'
  | 'addTaskSteps'
  | 'startTask'
  | 'pauseTask'
  | 'resumeTask'
  | 'cancelTask'
  | 'retryTask'
  | 'removeTask'
  | 'saveTaskTemplate'
  | 'setSchedule'
  | 'removeSchedule';

/** Handled in `app/`: they are about files. */
export type FileRequestName = 'importRecord' | 'cleanClones';

export type EngineRequests = { readonly [N in RequestName]: (input: Input<N>) => Promise<RequestAnswer<N>> };

/** Throws NOT_PERMITTED if the job has ended. */
export function openJob(ports: Pick<RequestPorts, 'store'>, id: string): JobRow {
  const job = need(ports.store.state, 'jobs', id);
  if (isFinal(JOB, job.status)) {
    throw failure('NOT_PERMITTED', `job ${id} is ${job.status}: that is final`, {
      details: { id, status: job.status },
    });
  }
  return job;
}
