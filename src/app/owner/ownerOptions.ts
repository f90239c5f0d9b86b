/** What an owner is opened with. */
import type { RelayMode } from '../../core/project/relay.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { Clock } from '../../shared/clock.ts';
import type { StepActions } from '../../shared/task/taskWork.ts';
import type { Credentials, InjectedProviders } from '../open/models.ts';

export interface OwnerOptions {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
  readonly version: string;
  readonly credentials: Credentials;
  /** Besides Anthropic and the simulated model. */
  readonly providers?: InjectedProviders;
  /** The worker thread's bundle and SQLite's. */
  readonly workerScript: URL;
  readonly wasmFile: string;
  /** Whether jobs, conversations and tasks are carried out here. */
  readonly work: boolean;
  /**
   * Whether jobs that were running when the last owner ended are resumed at the start, if `work`. This costs money without a request:
   * only for an owner that the user started for work and that stays. Default: false.
   */
  readonly resumes?: boolean;
  /** Waiting time before each simulated reply; null: the scenario's own. */
  readonly delayMs: number | null;
  /** Ceiling of one verify or setup command; ten minutes. */
  readonly verifyTimeoutMs?: number;
  /** Whether commands run in the sandbox where there is one; true. */
  readonly confine?: boolean;
  /** Minutes without anything to do after which a project is suspended, where it says nothing itself; 0: never. */
  readonly idleMinutes?: number;
  /** Ceiling of one worker thread's heap, megabytes. */
  readonly threadMb?: number;
  /** How long a thread that works may not answer before it is ended, ms by the owner's clock; a minute. */
  readonly threadPatienceMs?: number;
  /** Model calls in flight at once; the gateway's own. */
  readonly concurrency?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What clones may take in all before those of jobs that are over go, oldest first; 20 GB. */
  readonly clonesBytes?: number;
  /** How what one project says reaches another; `rules`. */
  readonly relay?: RelayMode;
  /** Hosts that steps of tasks may fetch from, e.g. `api.github.com`, `localhost:8080`; asked for each step. Absent: none. */
  readonly allowedHosts?: () => readonly string[];
  /** Actions of steps that others have registered with this process. */
  readonly stepActions?: StepActions;
  /** Take the place of an owner that holds on without a word: its process is ended first, with the commands that it runs. */
  readonly takeOver?: boolean;
  /** Take over what the database holds beyond a log that lost its end. Absent: such a state is not owned (`STATE_INCOMPLETE`). */
  readonly restores?: boolean;
}
