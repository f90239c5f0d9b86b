/** What the loop of one job works with: ports, the fold, and what it remembers between actions. Nothing in `memory` is truth. */

import type { AgentOrder, OurTool, RunningAgent } from '../agent/externalPorts.ts';
import type { OpenTree, SessionCommands, Transcript } from '../agent/ports.ts';
import type { AgentSession } from '../agent/session.ts';
import type { Clock } from '../shared/clock.ts';
import type { SetupGap } from '../shared/domain.ts';
import type { Event, EventDraft } from '../shared/events.ts';
import type { Evidence } from '../shared/evidence.ts';
import type { LiveLine } from '../shared/live.ts';
import type { Role } from '../shared/sessions.ts';
import type { State, TableName } from '../shared/state.ts';
import type { CommandRunner } from './commandPorts.ts';
import type { FreshPlaces, GitPort, KeptAttempts } from './gitPorts.ts';
import type { KeptMemory, KeptScratch, KnownFacts, SessionShell } from './jobMemory.ts';
import type { Artifacts } from './storePorts.ts';
import type { Wait } from './wait.ts';

/** The store as the loop sees it from its thread: wishes go out, facts come back into `state`. */
export interface LoopStore {
  readonly state: State;
  /** Durable and folded into `state` when it resolves. */
  commit(draft: EventDraft): Promise<Event>;
  nextIds(table: TableName, count: number): Promise<readonly number[]>;
  /** Resolves at the next event that is folded in, or rejects when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
}

/** What a session finds in its commands' environment, and the folder of its own that they may write. */
export interface SessionPlace {
  /** Before each command; what it makes is made once. */
  enter(): Promise<{
    readonly env: Readonly<Record<string, string>>;
    readonly writable: readonly string[];
    readonly readable: readonly string[];
    /** Folder of the `autonomous` that answers for this session; `autonomous mcp` there is an MCP server over stdio. */
    readonly bin: string;
  }>;
  close(): Promise<void>;
}

/** Answers the three verbs of seed 003 for a session's commands. */
export type SessionVerbs = (argv: readonly string[]) => Promise<{
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}>;

/** What a session of another agent finds around it. */
export interface AgentWorld {
  readonly place: SessionPlace;
  /** Folders beside the clone that it may read. */
  readonly readable: readonly string[];
  /** The gateway's door of its session. */
  readonly fetch: typeof fetch;
  /** Runs a command for it under the command policy: its terminals. */
  readonly commands: SessionCommands;
  /** argv lists that may run without a sandbox. */
  readonly allowed: readonly (readonly string[])[];
  /**
   * Asks the steward, unless he has answered, whether this may run without a sandbox; waits for the answer. `agent`: it is
   * what starts the agent of this title.
   */
  mayRun(command: string, agent?: string): Promise<boolean>;
}

/** Agents of the user's own. */
export interface Agents {
  /** Whether its calls are paid through the gateway, or with an account of its own. Throws AGENT_MISSING: nobody knows it. */
  paidByUs(executor: string): Promise<boolean>;
  /** As `OpenAgent`. */
  open(order: AgentOrder, world: AgentWorld): Promise<RunningAgent>;
}

export interface LoopPorts {
  readonly store: LoopStore;
  readonly git: GitPort;
  readonly commands: CommandRunner;
  readonly agents: Agents;
  readonly artifacts: Artifacts;
  readonly kept: KeptAttempts;
  readonly freshPlaces: FreshPlaces;
  readonly clock: Clock;
  /** The workspace's repository; `repositoryOf` says which one a job works on. */
  readonly projectDir: string;
  /** Ceiling of one verify or setup command. */
  readonly verifyTimeoutMs: number;
  openTranscript(sessionId: number): Promise<Transcript & { close(): Promise<void> }>;
  gatewayFetch(sessionId: number): typeof fetch;
  readonly openTree: OpenTree;
  openPlace(options: {
    readonly jobDir: string;
    /** Where its commands run. */
    readonly workdir: string;
    readonly sessionId: number;
    readonly verbs: SessionVerbs;
    /** For another agent: what it may call beside the verbs. */
    readonly tools?: readonly OurTool[];
  }): SessionPlace;
  /** Setup commands that the lock files in a folder ask for. */
  detectSetup(folder: string): Promise<readonly string[]>;
  /** What a folder's manifests name and no lock file holds, so that no setup command is detected. */
  setupGap(folder: string): Promise<SetupGap | null>;
  /** Body of PROJECT.md and what the project knows: its skills and the facts of its memory, bounded and marked as data. */
  projectBody(projectId: string): Promise<string>;
  live(line: LiveLine): void;
}

/** A worker's conversation that may take the next feature of its phase. */
export interface Conversation {
  readonly sessionId: number;
  readonly phaseId: number;
  readonly agent: AgentSession;
  close(): Promise<void>;
  /** The texts that it was given. Grows with it. */
  readonly texts: readonly string[];
  taken: number;
  contextTokens: number;
  turns: number;
}

export interface JobContext extends LoopPorts {
  readonly jobId: string;
  readonly signal: AbortSignal;
  readonly memory: {
    conversation: Conversation | null;
    /** The newest commit of the tree, to compare with; null: not known. */
    lastCheckpoint: string | null;
    /** Paths that alone can differ from `lastCheckpoint`; null: others can, because a command ran for instance. */
    touched: Set<string> | null;
    /** The commit that the agent's git is at; null: not known. */
    followed: string | null;
    /** The shells of the open sessions. Each may run commands in the background. */
    readonly shells: Set<SessionShell>;
    /** What commands of the last worker's conversation left, for its next attempt. Null if nothing is kept. */
    scratch: KeptScratch | null;
    /** What is kept of the attempt under way. */
    kept: KeptMemory | null;
    /** The worker gave its feature back with `status <id> pending`. */
    gaveUp: boolean;
    /** What was read of the commit that the job began with. */
    facts: KnownFacts | null;
    /** How long commands waited for the steward: no time of the attempt. */
    waitedMs: number;
    /** Those that wait now, and since when one of them does. */
    waiting: number;
    waitingSince: number;
    /** The time of day that the job waits for; null: none yet. */
    wait: Wait | null;
    /** Of another agent, in a row, in a session without an attempt. */
    deaths: number;
    /** The last evidence of a fresh checkout in which all passed: of a review that was cut off, for instance. */
    fresh: { readonly commit: string; readonly commands: string; readonly evidence: readonly Evidence[] } | null;
  };
}

export function say(
  context: JobContext,
  text: string,
  about: { readonly sessionId?: number; readonly featureId?: number } = {},
): void {
  context.live({
    at: new Date(context.clock.now()).toISOString(),
    jobId: context.jobId,
    sessionId: about.sessionId ?? null,
    featureId: about.featureId ?? null,
    text,
  });
}

/** Which of a job's models does this role. */
export type ModelRole = Extract<Role, 'planner' | 'worker' | 'reviewer' | 'summarizer'>;

export async function oneId(context: Pick<JobContext, 'store'>, table: TableName): Promise<number> {
  const [id] = await context.store.nextIds(table, 1);
  if (id === undefined) throw new Error(`no id for ${table}`);
  return id;
}
