/** Declares what the terminal and the editor ask of a workspace. `app/workspace/workspace.ts` implements it; tests have a fake. */
import type { CleanUp } from '../../core/job/cloneCleanUp.ts';
import type { RelayMode } from '../../core/project/relay.ts';
import type { LostTail } from '../../core/state/lostTail.ts';
import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import type { AgentProbe } from '../../shared/agent/executors.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { Diagnostic, KeyFound } from '../../shared/diagnostic.ts';
import type { KeptList, RestoreAs, Restored } from '../../shared/job/keptWork.ts';
import type { Plan } from '../../shared/job/plan.ts';
import type { ProviderName } from '../../shared/model/models.ts';
import type { TaskDefinition, TaskTemplate } from '../../shared/task/tasks.ts';
import type { ListedTemplate, ReadTask } from '../../shared/task/taskText.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { ExportedRecord } from '../../shared/workspace/record.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { EvalRequest, Evaluated, EvalWatch } from '../eval/evaluation.ts';
import type { Preview } from '../job/result/previewRequest.ts';
import type { SandboxState } from '../session/commandPorts.ts';
import type { Engine, RequestInput } from '../state/api.ts';
import type { ConnectionsApi, StoredKey } from './connectionsApi.ts';

export interface Place {
  /** Absolute; may be below the top of its repository. */
  readonly folder: string;
  /** The folder of all clones. Null for the default. */
  readonly jobsDir: string | null;
}

/** The state on the disk, read without owning it. */
export interface Look {
  /** The origin of the state. `empty` if there is none. */
  readonly origin: 'own' | 'empty' | 'foreign' | 'newer';
  readonly projectDir: string;
  readonly state: State;
  /** Parts that could not be read, one sentence each. */
  readonly problems: readonly string[];
  readonly ownerAlive: boolean;
  /** Null if the log has its end. */
  readonly lostTail: LostTail | null;
}

/** The owner of a workspace as another process finds it. */
export interface FoundOwner {
  /** Null if a process owns the workspace, or may own it, and cannot be asked. */
  readonly owned: boolean | null;
  /** By the statuses if it cannot be asked. */
  readonly atWork: AtWork;
  /** The reason why it cannot be asked; else null. */
  readonly silent: { readonly message: string; readonly hint: string } | null;
}

/** The payment of model calls. */
export interface Account {
  readonly key: () => string | null;
  readonly baseUrl: string | null;
  /** The stored key of a connection of the user. */
  readonly storedKey?: StoredKey;
}

/**
 * The work that a process does if it becomes the owner. `nothing`: it only changes the state. `asked`: its own requests, until
 * they are answered. `all`: also the jobs that were running when the last owner ended.
 */
export type OwnerWork = 'nothing' | 'asked' | 'all';

/** How this process works if it becomes the owner. Absent fields have the engine's default. Ignored in a client. */
export interface OwnerSettings {
  readonly work: OwnerWork;
  /** Defaults to the account of the environment. */
  readonly account?: Account;
  /** Pause before each simulated reply. If null or absent, the scenario decides. */
  readonly delayMs?: number | null;
  /** Ceiling of one verify or setup command. */
  readonly verifyTimeoutMs?: number;
  /** Whether commands run in the sandbox if there is one. */
  readonly confine?: boolean;
  /** Model calls in flight at once. */
  readonly concurrency?: number;
  /** Minutes after which an idle project is suspended. Never if 0. */
  readonly idleMinutes?: number;
  /** Maximum total size of clones before those of ended jobs are removed. */
  readonly clonesBytes?: number;
  /** How a message of one project reaches another. */
  readonly relay?: RelayMode;
  /** Hosts that steps of tasks may fetch from at present. If absent, no host is allowed. */
  readonly allowedHosts?: () => readonly string[];
  /** Whether the machine is kept awake while work runs, at present. If absent, it is not. */
  readonly keepAwake?: () => boolean;
  /** Ceiling of one worker thread's heap, megabytes. */
  readonly threadMb?: number;
  /** Take ownership from an owner that does not respond. Its process is ended. */
  readonly takeOver?: boolean;
  /** Adopt what the database has beyond a truncated log. */
  readonly restores?: boolean;
}

/** Options for filing new jobs. */
export interface FiledAs {
  readonly key: KeyFound;
  readonly provider: ProviderName;
  /** Models that differ from the engine's own, by role; an effort may follow the name. */
  readonly models?: Readonly<Record<string, string>>;
  /** Defaults to the account of the environment. */
  readonly account?: Account | undefined;
}

/** The engine in this process. */
export interface OwnEngine extends Engine {
  readonly owner: true;
  readonly ownerPid?: undefined;
  atWork(): AtWork;
}

/** The engine of a living owner in another process. */
export interface OtherEngine extends Engine {
  readonly owner: false;
  readonly ownerPid: number;
  atWork(): Promise<AtWork>;
}

export type OpenedEngine = OwnEngine | OtherEngine;

export interface RestoredState extends LostTail {
  /** Name of the kept copy of the database. Null if there was none. */
  readonly source: string | null;
  /** Whether the database held something beyond the log. */
  readonly taken: boolean;
}

export interface RehearsedStep {
  /** ISO 8601 UTC, of the simulated run. */
  readonly at: string;
  readonly text: string;
  /** Cost of this step in US dollars. 0 for a step without a model call. */
  readonly costUsd: number;
}

/** A run on a simulation that changed nothing. */
export interface Rehearsal {
  readonly plan: Plan | null;
  readonly steps: readonly RehearsedStep[];
  readonly costUsd: number;
  /** The band in which a real run is expected. */
  readonly lowUsd: number;
  readonly highUsd: number;
  /** The basis of these numbers, one sentence. */
  readonly note: string;
}

/** An agent of the data files. */
export interface ListedAgent {
  readonly name: string;
  readonly entry: AgentEntry;
  /** Null if the agent was not looked at. */
  readonly probe: AgentProbe | null;
}

export interface ListedAgents<Agent extends ListedAgent = ListedAgent> {
  readonly agents: readonly Agent[];
  /** Errors in the user's lines, one sentence each. */
  readonly faults: readonly string[];
  /** The user's own file of agents, absolute. */
  readonly file: string;
}

/** An agent with its status on this machine. */
export interface LookedAgent extends ListedAgent {
  readonly probe: AgentProbe;
}

export type LookedAgents = ListedAgents<LookedAgent>;

export interface FoundProject {
  readonly name: string;
  /** Null if the project can be adopted. */
  readonly fault: string | null;
}

/** Tasks as YAML. */
export interface TaskText {
  /** `actions` lists the installed actions of other extensions. If null, every action is accepted. */
  read(text: string, actions: readonly string[] | null): ReadTask;
  write(definition: TaskDefinition): string;
  /** Fills in the parameters. Throws INVALID_INPUT. */
  filled(template: TaskTemplate, parameters: Readonly<Record<string, string | number | boolean>>): TaskDefinition;
}

/** The templates of tasks that a workspace can use. */
export interface TaskTemplates {
  /** The folder of the workspace's own templates, absolute. */
  readonly folder: string;
  list(): Promise<readonly ListedTemplate[]>;
  /** Throws NOT_FOUND, or INVALID_INPUT with the fault of its file. */
  load(name: string): Promise<TaskTemplate>;
  /** The text of its file. Throws NOT_FOUND. */
  text(name: string): Promise<string>;
}

export interface ApiServing {
  readonly port: number;
  /** Origins of pages that may send requests. */
  readonly origins: readonly string[];
  /** Whether to keep an owner alive without clients, so that pending work runs. */
  readonly keeps: boolean;
  /** The engine as it is reachable now. */
  reach(): Promise<Engine>;
  /** Logs details that the client does not receive. */
  failed(thrown: unknown): void;
}

/** The HTTP API, on this machine alone. */
export interface ServedApi {
  readonly url: string;
  /** Address of the WebSocket. */
  readonly events: string;
  close(): Promise<void>;
}

export interface DemoAnswer {
  readonly decision: 'approved' | 'rejected';
  readonly choice: string | null;
  readonly feedback: string | null;
}

export interface DemoCheck {
  readonly command: string;
  readonly output: string;
  readonly ok: boolean;
}

/** A repository made for the demo, and how the demo plays the steward. */
export interface Demo {
  readonly projectDir: string;
  readonly jobsDir: string | null;
  readonly brief: string;
  /** Name of a built-in scenario or absolute path. */
  readonly scenario: string;
  readonly allowedCommands: readonly (readonly string[])[];
  answers(approval: ApprovalRow): DemoAnswer;
  /** Runs the built program's own tests, and `git log --oneline` of the result. */
  check(): Promise<readonly DemoCheck[]>;
  cleanUp(): Promise<void>;
}

export interface Demos {
  /** Makes a new folder for the demo. */
  make(): Promise<Demo>;
  /** Makes the sample repository in an empty or new folder. */
  makeSample(folder: string): Promise<void>;
  /** The demo's brief. Null if the folder is not its sample repository. */
  briefFor(folder: string): Promise<RequestInput<'submitBrief'> | null>;
}

/** A workspace as a process without its own engine sees it. Each part is loaded with its first use. */
export interface Workspace {
  readonly place: Place;
  /** Writes nothing. Throws NOT_A_REPOSITORY if there is no such folder, as everything below does. */
  look(): Promise<Look>;
  /**
   * The newest file of events. Each owner creates one, once it can be reached. Null if there is none. `projectDir`: as `look` found it; null
   * to find it again. Throws NOT_A_REPOSITORY, DISK.
   */
  newestEvents(projectDir: string | null): Promise<string | null>;
  /** Whether an owner answers. Takes some seconds if it hangs. `projectDir` and failures: as above. */
  isOwned(projectDir: string | null): Promise<boolean>;
  /** Finds the owner and its current work. `ownerAlive`: as `look` found it. Takes some seconds if an owner cannot be asked. */
  owner(state: State, ownerAlive: boolean): Promise<FoundOwner>;
  /** Throws OWNER_BUSY, OWNER_UNREACHABLE, STATE_FOREIGN, NOT_A_REPOSITORY, … */
  open(as: OwnerSettings): Promise<OpenedEngine>;
  /** Adopts what the database has beyond a truncated log. Returns null if the log is complete. */
  restoreState(): Promise<RestoredState | null>;
  diagnose(filed: FiledAs): Promise<readonly Diagnostic[]>;
  readonly job: {
    /** Throws NOT_READY before anything is written for a first brief. If there is a state, its owner checks. */
    checkFirst(input: RequestInput<'submitBrief'>): Promise<void>;
    /** Runs on a simulation that changes nothing. */
    rehearse(as: OwnerSettings, input: RequestInput<'submitBrief'>, signal: AbortSignal): Promise<Rehearsal>;
    /** The exact next request. A null job is the selected one. */
    preview(jobId: string | null): Promise<Preview>;
    /** Unified diff of the job's result against its baseline. */
    diff(jobId: string): Promise<string>;
    /** Paths that differ between two commits of a job. */
    changedPaths(state: State, jobId: string, from: string, to: string): Promise<readonly string[]>;
    /** Returns null if the file does not exist or is too large to show. */
    textAt(state: State, jobId: string, commit: string, path: string): Promise<string | null>;
    /** Attempts whose work is kept in the state. */
    kept(): Promise<KeptList>;
    /** Restores an attempt's work. Throws NOT_FOUND, STATE_DAMAGED, or NOT_PERMITTED if the branch or the file exists. */
    restore(attempt: number, as: RestoreAs): Promise<Restored>;
    /** Lists the clones of ended jobs that would be removed. Null for the default ceiling. */
    cleanUp(maxBytes: number | null): Promise<CleanUp>;
  };
  readonly session: {
    /** A session's conversation as Markdown. Throws NOT_FOUND. */
    transcript(id: number): Promise<string>;
    /** A stored diff or a command's output. Null if the name is unknown. */
    artifact(name: string): Promise<string | null>;
  };
  readonly agent: {
    /** Starts no agent. */
    list(): Promise<ListedAgents>;
    /** Starts the installed agents, or only the named one, to see their capabilities. */
    look(options?: { readonly name?: string; readonly confine?: boolean }): Promise<LookedAgents>;
  };
  readonly model: ConnectionsApi;
  readonly project: {
    /** Folders of projects that were not made here, each with why it cannot be adopted. */
    found(state: State): Promise<readonly FoundProject[]>;
    /** Names of all templates for a new project. */
    templates(): Promise<readonly string[]>;
    /** The initial text of a template. Throws NOT_FOUND or INVALID_INPUT. */
    templateBody(name: string): Promise<string>;
    /** The approved PROJECT.md, which can differ from the file on the disk. */
    definition(state: State, project: string): Promise<string>;
    /** The files of a project's memory, or the text of the one at `path`. Throws NOT_FOUND or INVALID_INPUT. */
    memory(project: string, path: string | null): Promise<string>;
  };
  taskTemplates(): Promise<TaskTemplates>;
  /**
   * Runs variants on tasks in separate repositories. In this workspace, only the records below `eval` change. Throws
   * ABORTED after the signal: the next call with the same request resumes. Throws OWNER_BUSY, SANDBOX_UNAVAILABLE, NOT_READY, …
   */
  evaluate(as: OwnerSettings, request: EvalRequest, watch: EvalWatch): Promise<Evaluated>;
  /** Exports everything, or one job, into a folder or an archive that does not exist yet. */
  exportRecord(target: string, jobId: string | null): Promise<ExportedRecord>;
  readonly api: {
    /** Throws INVALID_INPUT if the port is in use. */
    serve(serving: ApiServing): Promise<ServedApi>;
    /** The token of its clients, made if there is none, and its file. */
    token(): Promise<{ readonly token: string; readonly file: string }>;
  };
}

/** The workspaces of this machine, and services that need no workspace. Created once per process. */
export interface Workspaces {
  at(place: Place): Workspace;
  readonly demo: Demos;
  taskText(): Promise<TaskText>;
  /** Reason why a project cannot have this name, with an alternative. Null if it can. */
  nameFault(name: string): Promise<string | null>;
  /** Calls a tool of `shared/workspace/mainTools.ts` for an agent that speaks for the person. The answer is words for a model. */
  callTool(engine: Pick<Engine, 'state' | 'request'>, name: string, input: unknown): Promise<string>;
  /** `projectDir`: no program in it is started. Throws NOT_FOUND if this system has no program for notifications. */
  notifyOs(projectDir: string | null, notice: { readonly title: string; readonly message: string }): Promise<void>;
  sandbox(): Promise<SandboxState>;
}
