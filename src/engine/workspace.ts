/** Declares what the terminal and the editor ask of a workspace. `compose/workspace.ts` implements it; tests have a fake. */
import type { LostTail } from '../core/lostTail.ts';
import type { ApprovalRow } from '../shared/approvals.ts';
import type { AtWork } from '../shared/atWork.ts';
import type { AgentEntry } from '../shared/executorSchemas.ts';
import type { AgentProbe } from '../shared/executors.ts';
import type { Plan } from '../shared/plan.ts';
import type { TaskDefinition, TaskTemplate } from '../shared/tasks.ts';
import type { ListedTemplate, ReadTask } from '../shared/taskText.ts';
import type { Engine } from './api.ts';

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
  /** What this step would cost; 0 for one without a model call. */
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
  /** What these numbers rest on, one sentence. */
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
  /** What is wrong with lines of the user's own, one sentence each. */
  readonly faults: readonly string[];
  /** The user's own file of agents, absolute. */
  readonly file: string;
}

/** An agent as it stands on this machine. */
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
  /** `actions`: those of other extensions that are there. If null, any action is taken. */
  read(text: string, actions: readonly string[] | null): ReadTask;
  write(definition: TaskDefinition): string;
  /** With its blanks filled in. Throws INVALID_INPUT. */
  filled(template: TaskTemplate, parameters: Readonly<Record<string, string | number | boolean>>): TaskDefinition;
}

/** The templates of tasks that a workspace can use. */
export interface TaskTemplates {
  /** The folder of the workspace's own templates, absolute. */
  readonly folder: string;
  list(): Promise<readonly ListedTemplate[]>;
  /** Throws NOT_FOUND, or INVALID_INPUT with what is wrong with its file. */
  load(name: string): Promise<TaskTemplate>;
  /** The text of its file. Throws NOT_FOUND. */
  text(name: string): Promise<string>;
}

export interface ApiServing {
  readonly port: number;
  /** Of pages that may ask. */
  readonly origins: readonly string[];
  /** Whether to keep an owner alive without clients, so that pending work runs. */
  readonly keeps: boolean;
  /** The engine as it is reachable now. */
  reach(): Promise<Engine>;
  /** Logs what the client is not told. */
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
