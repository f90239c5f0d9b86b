/** What the loop of one job works with: ports, the fold, and what it remembers between actions. Nothing in `memory` is truth. */

import type { Clock } from '../../shared/clock.ts';
import type { Evidence } from '../../shared/job/evidence.ts';
import type { SetupGap } from '../../shared/job/rows.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { Role } from '../../shared/session.ts';
import type { TableName } from '../../shared/workspace/state.ts';
import type { Agents } from '../agent/agentWorld.ts';
import type { OurTool } from '../agent/ports.ts';
import type { CommandRunner } from '../session/commandPorts.ts';
import type { OpenTree, Transcript } from '../session/ports.ts';
import type { AgentSession } from '../session/session.ts';
import type { SessionDirectory, SessionVerbs } from '../session/sessionDirectory.ts';
import type { LoopStore } from '../state/loopStore.ts';
import type { Artifacts } from '../state/storePorts.ts';
import type { FreshPlaces, GitPort, KeptAttempts } from './gitPorts.ts';
import type { KeptMemory, KeptScratch, KnownFacts, SessionShell } from './jobMemory.ts';
import type { Wait } from './wait.ts';

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
  }): SessionDirectory;
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
  readonly memory: JobMemory;
}

/** What the loop remembers between actions. */
export interface JobMemory {
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
}

export function newMemory(): JobMemory {
  return {
    conversation: null,
    lastCheckpoint: null,
    touched: null,
    followed: null,
    shells: new Set(),
    scratch: null,
    kept: null,
    gaveUp: false,
    facts: null,
    waitedMs: 0,
    waiting: 0,
    waitingSince: 0,
    wait: null,
    deaths: 0,
    fresh: null,
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
