/** Runs the owner's worker threads: which projects have one, its messages, and its permitted calls. */
import { basename } from 'node:path';
import { createGit } from '../../adapters/git/gitPort.ts';
import { deliveryText } from '../../core/project/relay.ts';
import type { EngineRequests } from '../../engine/job/requests/ports.ts';
import { briefing } from '../../engine/main/briefing.ts';
import type { Gateway } from '../../engine/session/gatewayPorts.ts';
import type { Store } from '../../engine/state/store.ts';
import { customStep } from '../../engine/task/step/customStep.ts';
import type { TaskClones } from '../../engine/task/step/taskClones.ts';
import { resumeLeftJobs } from '../../engine/workspace/threads/leftJobs.ts';
import { ThreadPool, type ThreadPoolOptions } from '../../engine/workspace/threads/threadPool.ts';
import { messageOf } from '../../shared/errors.ts';
import type { StepOrder, StepResult } from '../../shared/task/taskWork.ts';
import { doorsOf } from '../open/model/models.ts';
import { answeredIn } from './answered.ts';
import { conversationTools } from './conversationTools.ts';
import type { OwnerOptions } from './ownerOptions.ts';
import { type Following, followProjects } from './projects.ts';
import { spawnWith } from './spawnThreads.ts';
import { openTaskClones } from './taskClones.ts';

/** Defaults: minutes until an idle project is suspended, and megabytes of one thread's heap. */
const IDLE_MINUTES = 240;

export interface ThreadParts extends Pick<ThreadPoolOptions, 'store' | 'live' | 'ended' | 'problem'> {
  readonly store: Store;
  readonly gateway: Gateway;
}

export interface Threads {
  /** Null if this process runs no work, or not yet. */
  readonly threadPool: ThreadPool | null;
  /** `turns` of `AtWork`. */
  readonly turns: readonly string[];
  /** `awake` of `AtWork`. */
  readonly awake: Following['awake'];
  /**
   * Runs a step of a task: in its project's thread, or in the process that registered its action. Never rejects, and
   * does not hang: `aborted` after the signal, and at once while its project may not run.
   */
  step(order: StepOrder, signal: AbortSignal): Promise<StepResult>;
  /** Starts the threads of the active projects, unless this process runs no work. */
  begin(requests: EngineRequests): void;
  /** Closes durably, within the time that VS Code allows. */
  close(): Promise<void>;
}

export function openThreads(options: OwnerOptions, parts: ThreadParts): Threads {
  const { places, clock, idleMinutes = IDLE_MINUTES } = options;
  const { store, live, ended, problem } = parts;
  let threadPool: ThreadPool | null = null;
  let followed: Following | null = null;
  let clones: TaskClones | null = null;

  const repository = (projectId: string): string => trustedWorkdir(store, projectId) ?? places.projectDir;

  const start = (projectId: string): ReturnType<ThreadPoolOptions['start']> => ({
    ...places,
    projectId,
    version: options.version,
    projectDir: repository(projectId),
    workspaceDir: places.projectDir,
    verifyTimeoutMs: options.verifyTimeoutMs ?? null,
    confine: options.confine ?? true,
    hidden: options.hidden ?? [],
  });

  const relay = options.relay ?? 'rules';

  const git = createGit({ clock, env: options.env });
  const repositoryOf = async (projectId: string): Promise<string> => {
    const folder = repository(projectId);
    try {
      const branch = await git.branchOf(folder);
      return branch === null ? `${basename(folder)}, on no branch` : `${basename(folder)}, branch ${branch}`;
    } catch {
      // An unusable repository is reported when a job is filed.
      return basename(folder);
    }
  };

  return {
    get threadPool() {
      return threadPool;
    },
    get turns() {
      return [...new Set([...(threadPool?.turns ?? []), ...(followed?.passing ?? [])])];
    },
    get awake() {
      return followed?.awake;
    },
    step: async (order, signal) => {
      if (threadPool?.mayRun(order.projectId) !== true) return { outcome: 'aborted' };
      if (order.kind === 'custom') return customStep(options.stepActions, order, signal);
      const result = await threadPool.step({ ...order, allowedHosts: options.allowedHosts?.() ?? [] }, signal);
      if (order.kind === 'command') clones?.left(order.taskId);
      return result;
    },
    begin: (requests) => {
      if (!options.work) return;
      clones = openTaskClones(store, places.jobsDir, problem);
      threadPool = new ThreadPool({
        store,
        clock,
        live,
        ended,
        problem,
        start,
        // Loaded at first use, because only routing reads them.
        evalResults: async () => (await import('../eval/recordedResults.ts')).recordedResults(options, problem),
        isAnswered: answeredIn(places),
        spawn: spawnWith(options, parts),
        ...conversationTools({ store, requests, clock, stateDir: places.stateDir }),
        briefing: (projectId, heldUpTo) =>
          briefing({ store, clock, repositoryOf, working: () => threadPool?.jobs ?? [] }, projectId, heldUpTo),
        delivery: (projectId, messageId) => deliveryText(store.state, projectId, messageId, relay),
      });
      followed = followProjects({ ...options, store, threadPool, idleMinutes, relay, problem });
      if (options.resumes === true) void resumeAll(options, store, threadPool, problem);
    },
    close: async () => {
      await followed?.close();
      await threadPool?.stop();
      await clones?.close();
    },
  };
}

async function resumeAll(
  { clock, credentials, providers }: OwnerOptions,
  store: Store,
  threadPool: ThreadPool,
  problem: (text: string) => void,
): Promise<void> {
  try {
    await resumeLeftJobs({
      store,
      clock,
      door: doorsOf(credentials, null, providers),
      work: (jobId) => threadPool.work(jobId),
    });
  } catch (thrown) {
    problem(`jobs that were running could not be resumed: ${messageOf(thrown)}`);
  }
}

/** The trusted folder, only while the project's definition still names it. */
function trustedWorkdir({ state }: Store, projectId: string): string | null {
  const project = state.projects.get(projectId);
  return project !== undefined && project.workdir === project.trusted_workdir ? project.workdir : null;
}
