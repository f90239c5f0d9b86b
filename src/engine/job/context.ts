/**
 * The context of one job's loop: ports, the folded state, and a memory between actions. No value in `memory` is authoritative.
 */

import type { Observation } from '../../core/routing/evidence.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Evidence } from '../../shared/job/evidence.ts';
import type { SetupGap } from '../../shared/job/rows.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { Payee } from '../../shared/model/models.ts';
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
  /** The workspace's repository. `repositoryOf` returns the repository of a job. */
  readonly projectDir: string;
  /** Ceiling of one verify or setup command. */
  readonly verifyTimeoutMs: number;
  openTranscript(sessionId: number): Promise<Transcript & { close(): Promise<void> }>;
  gatewayFetch(sessionId: number): typeof fetch;
  readonly openTree: OpenTree;
  openPlace(options: {
    readonly jobDir: string;
    /** Folder of its commands. */
    readonly workdir: string;
    readonly sessionId: number;
    readonly verbs: SessionVerbs;
    /** For an external agent: its callable tools beside the verbs. */
    readonly tools?: readonly OurTool[];
  }): SessionDirectory;
  /** Setup commands that the lock files in a folder ask for. */
  detectSetup(folder: string): Promise<readonly string[]>;
  /** Dependencies that a folder's manifests name without a lock file, so that no setup command is detected. */
  setupGap(folder: string): Promise<SetupGap | null>;
  /** Body of PROJECT.md and the project's knowledge: its skills and the facts of its memory, bounded and marked as data. */
  projectBody(projectId: string): Promise<string>;
  /** Results of the workspace that routing decides on. */
  routingRecord(provider: Payee): Promise<readonly Observation[]>;
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
  /** Whether its last assignment ended with an answer. */
  isAnswered: boolean;
  /** When its last assignment ended, epoch milliseconds. */
  usedAt: number;
  turns: number;
}

export interface JobContext extends LoopPorts {
  readonly jobId: string;
  readonly signal: AbortSignal;
  /** The work tree of this part of the loop: 0 is the clone, in which actions of the whole job run, too. */
  readonly lane: number;
  /** Work that moves the job's branch: one lane at a time. */
  readonly onBranch: <T>(work: () => Promise<T>) => Promise<T>;
  readonly memory: JobMemory;
}

/** The memory of the loop between actions. */
export interface JobMemory {
  conversation: Conversation | null;
  /** The newest commit of the tree, for comparison. Null if unknown. */
  lastCheckpoint: string | null;
  /** The only paths that can differ from `lastCheckpoint`. Null if others can, for example because a command ran. */
  touched: Set<string> | null;
  /** By session: paths that other features changed since its conversation saw the tree. A write waits until they are read. */
  readonly stale: Map<number, Set<string>>;
  /** The setup of the lane's tree, as recorded. Null if unknown. */
  setup: string | null;
  /** Consecutive actions that failed because a person was quicker. */
  overtaken: number;
  /** The commit of the agent's git. Null if unknown. */
  followed: string | null;
  /** The shells of the open sessions. Each may run commands in the background. */
  readonly shells: Set<SessionShell>;
  /** Files that commands of the last worker's conversation left, for its next attempt. Null if none are kept. */
  scratch: KeptScratch | null;
  /** The saved work of the current attempt. */
  kept: KeptMemory | null;
  /** The worker gave its feature back with `status <id> pending`. */
  gaveUp: boolean;
  /** Facts about the commit that the job started from. */
  facts: KnownFacts | null;
  /** Milliseconds that commands waited for the steward, which do not count for the attempt. */
  waitedMs: number;
  /** Number of commands that wait now, and the start of their wait. */
  waiting: number;
  waitingSince: number;
  /** The time of day that the job waits for. Null if there is none yet. */
  wait: Wait | null;
  /** Consecutive deaths of an external agent in a session without an attempt. */
  deaths: number;
  /** The last evidence of a fresh checkout in which all passed: of a review that was cut off, for instance. */
  fresh: { readonly commit: string; readonly commands: string; readonly evidence: readonly Evidence[] } | null;
}

export function newMemory(): JobMemory {
  return {
    conversation: null,
    lastCheckpoint: null,
    touched: null,
    stale: new Map(),
    setup: null,
    overtaken: 0,
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

export function staleOf({ stale }: Pick<JobMemory, 'stale'>, sessionId: number): Set<string> {
  const paths = stale.get(sessionId) ?? new Set();
  stale.set(sessionId, paths);
  return paths;
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

/** The job's model for this role. */
export type ModelRole = Extract<Role, 'planner' | 'worker' | 'reviewer' | 'summarizer'>;

export async function oneId(context: Pick<JobContext, 'store'>, table: TableName): Promise<number> {
  const [id] = await context.store.nextIds(table, 1);
  if (id === undefined) throw new Error(`no id for ${table}`);
  return id;
}
