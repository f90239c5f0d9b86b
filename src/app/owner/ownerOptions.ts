/** Options for opening an owner. */
import type { RelayMode } from '../../core/project/relay.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { Clock } from '../../shared/clock.ts';
import type { StepActions } from '../../shared/task/taskWork.ts';
import type { Credentials, InjectedProviders } from '../open/model/models.ts';

export interface OwnerOptions {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
  readonly version: string;
  readonly credentials: Credentials;
  /** In addition to Anthropic and the simulated model. */
  readonly providers?: InjectedProviders;
  /** Bundles of the worker thread and of SQLite. */
  readonly workerScript: URL;
  readonly wasmFile: string;
  /** Whether jobs, conversations and tasks run in this process. */
  readonly work: boolean;
  /**
   * Whether jobs that were running when the last owner ended are resumed at the start, if `work`. This costs money without a request:
   * only for an owner that the user started for work and that stays. Default: false.
   */
  readonly resumes?: boolean;
  /** Delay before each simulated reply; null for the scenario's delay. */
  readonly delayMs: number | null;
  /** Time limit of one verify or setup command. Default: ten minutes. */
  readonly verifyTimeoutMs?: number;
  /** Whether commands run in the sandbox if there is one. Default: true. */
  readonly confine?: boolean;
  /** Folders that no command and no agent of this owner may read, besides its own ones. Default: none. */
  readonly hidden?: readonly string[];
  /** Minutes of idle time after which a project is suspended, unless its definition sets them; 0 for never. */
  readonly idleMinutes?: number;
  /** Whether the machine is kept awake while work runs; read at each event. Default: it is not. */
  readonly keepAwake?: () => boolean;
  /** Limit of one worker thread's heap, in megabytes. */
  readonly threadMb?: number;
  /** Milliseconds without a ping reply after which a busy thread is terminated. Default: one minute. */
  readonly threadPatienceMs?: number;
  /** Limit of model calls in flight. Default: the gateway's. */
  readonly concurrency?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Total size of clones above which those of ended jobs are removed, oldest first. Default: 20 GB. */
  readonly clonesBytes?: number;
  /** How messages between projects are relayed. Default: `rules`. */
  readonly relay?: RelayMode;
  /** Hosts that steps of tasks may fetch from, e.g. `api.github.com`, `localhost:8080`; read for each step. Default: none. */
  readonly allowedHosts?: () => readonly string[];
  /** Actions of steps that other extensions have registered in this process. */
  readonly stepActions?: StepActions;
  /** Take ownership from an owner that does not respond. Terminates its process and commands first. */
  readonly takeOver?: boolean;
  /**
   * Restore the events that the database contains beyond a log that lost its end. Without it, such a state is not owned
   * (`STATE_INCOMPLETE`).
   */
  readonly restores?: boolean;
}
