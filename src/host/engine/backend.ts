/** What the composition root gives the host: the engine's parts, loaded at first use. */
import type { CleanUp } from '../../core/cloneCleanUp.ts';
import type { LostTail } from '../../core/lostTail.ts';
import type { RelayMode } from '../../core/relay.ts';
import type { Engine, WishInput } from '../../engine/api.ts';
import type {
  ApiServing,
  LookedAgents,
  OpenedEngine,
  Rehearsal,
  ServedApi,
  TaskTemplates,
  TaskText,
} from '../../engine/workspace.ts';
import type { Finding, KeyFound } from '../../shared/finding.ts';
import type { KeptList, RestoreAs, Restored } from '../../shared/keptWork.ts';
import type { ProviderName } from '../../shared/models.ts';
import type { ExportedRecord } from '../../shared/record.ts';
import type { State } from '../../shared/state.ts';

export interface Place {
  /** Absolute; may lie below the top of its repository. */
  readonly folder: string;
  /** Absolute; null: the default. */
  readonly jobsDir: string | null;
}

export interface OwnerSettings {
  readonly place: Place;
  readonly key: () => string | null;
  readonly baseUrl: string | null;
  /** Pause before each simulated reply. */
  readonly delayMs: number;
  readonly verifyTimeoutMs: number;
  /** Whether commands run in the sandbox where there is one. */
  readonly confine: boolean;
  /** Model calls in flight at once. */
  readonly concurrency: number;
  /** Minutes after which an idle project is suspended; 0: never. */
  readonly idleMinutes: number;
  /** What clones may take in all before those of jobs that are over go. */
  readonly clonesBytes: number;
  /** How what one project says reaches another. */
  readonly relay: RelayMode;
  /** Hosts that steps of tasks may fetch from, by now. */
  readonly allowedHosts: () => readonly string[];
  /** Ceiling of one worker thread's heap, megabytes. */
  readonly threadMb: number;
  /** Whether jobs that were running when the last owner ended are resumed. */
  readonly resumes: boolean;
  /** Take the place of an owner that holds on without a word, and end its process. */
  readonly takeOver: boolean;
  /** Take over what the database holds beyond a log that lost its end. */
  readonly restores: boolean;
}

export interface Look {
  /** Whose state it is; none at all is `empty`. */
  readonly origin: 'own' | 'empty' | 'foreign' | 'newer';
  readonly projectDir: string;
  readonly state: State;
  readonly problems: readonly string[];
  readonly ownerAlive: boolean;
  /** The log lost its end; null: it did not. */
  readonly lostTail: LostTail | null;
}

/** How new jobs are filed. */
export interface FiledAs extends KeyFound {
  readonly provider: ProviderName;
  /** Models that differ from the engine's own, by role. */
  readonly models: Readonly<Record<string, string>>;
}

/** A text of the job's repository at a commit, for the editor's diffs. */
export interface JobFiles {
  /** Paths that differ between two commits of a job. */
  changedPaths(jobId: string, from: string, to: string): Promise<readonly string[]>;
  /** null: not there, or too large to show. */
  textAt(jobId: string, commit: string, path: string): Promise<string | null>;
  artifact(name: string): Promise<string | null>;
  /** A session's transcript as readable Markdown. */
  transcript(sessionId: number): Promise<string>;
  /** A project's PROJECT.md as what was decided has it, whatever lies on the disk. */
  definition(project: string): Promise<string>;
  preview(jobId: string | null): Promise<{ readonly describes: string; readonly body: string }>;
}

export interface Backend {
  /** Reads from the disk; writes nothing. */
  look(place: Place): Promise<Look>;
  open(settings: OwnerSettings): Promise<OpenedEngine>;
  files(place: Place, state: () => State): Promise<JobFiles>;
  /** Attempts whose work is kept in the state. */
  keptAttempts(place: Place): Promise<KeptList>;
  /** NOT_FOUND, STATE_DAMAGED, NOT_PERMITTED where the branch is there. */
  restoreAttempt(place: Place, attempt: number, as: RestoreAs): Promise<Restored>;
  /** Which clones of jobs that are over would go. */
  previewCleanUp(place: Place, maxBytes: number): Promise<CleanUp>;
  /** Everything, or one job, into a folder or an archive that is not there yet. */
  exportRecord(place: Place, target: string, jobId: string | null): Promise<ExportedRecord>;
  /** Unified diff of a job's result against its baseline. */
  jobDiff(place: Place, jobId: string): Promise<string>;
  dryRun(settings: OwnerSettings, input: WishInput<'submitBrief'>, signal: AbortSignal): Promise<Rehearsal>;
  diagnose(settings: Pick<OwnerSettings, 'place' | 'key' | 'baseUrl'>, filed: FiledAs): Promise<readonly Finding[]>;
  /** Starts those that are installed, to see what they can do. */
  agents(settings: Pick<OwnerSettings, 'place' | 'confine'>): Promise<LookedAgents>;
  /** Why a project cannot be named so, with a name to take instead; null: it can. */
  nameFault(name: string): Promise<string | null>;
  /** Names of all templates that a new project may begin with. */
  templates(place: Place): Promise<readonly string[]>;
  /** The text that a template begins with. Throws NOT_FOUND or INVALID_INPUT. */
  templateBody(place: Place, name: string): Promise<string>;
  taskText(): Promise<TaskText>;
  taskTemplates(place: Place): Promise<TaskTemplates>;
  /** A tool of `shared/mainTools.ts` for an agent that speaks for the person, in words for a model. */
  callTool(engine: Pick<Engine, 'state' | 'wish'>, name: string, input: unknown): Promise<string>;
  /** INVALID_INPUT where the port is in use. */
  serveApi(place: Place, serving: ApiServing): Promise<ServedApi>;
  /** What clients of the API need. */
  apiToken(place: Place): Promise<string>;
  /** Throws NOT_FOUND if this system has no program for it. */
  notifyOs(projectDir: string | null, notice: { readonly title: string; readonly message: string }): Promise<void>;
  /** Makes the demo's sample repository in an empty or new folder. */
  makeSample(folder: string): Promise<void>;
  /** The demo's brief; null when the folder is not its sample repository. */
  demoBrief(folder: string): Promise<WishInput<'submitBrief'> | null>;
}
