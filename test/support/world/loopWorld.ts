/**
 * A job without threads, processes and sockets: the real loop, sessions, gateway, requests and reducer, over a log and a git in memory.
 * For what the engine decides. That the same holds in a real owner is shown once for each promise: test/integration/job.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { keptHash } from '../../../src/adapters/files/keptWork.ts';
import { setupGap } from '../../../src/adapters/files/setupCommands.ts';
import { createGateway } from '../../../src/adapters/gateway/door/gateway.ts';
import { freshPlaces } from '../../../src/adapters/shell/freshPlaces.ts';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import { builtInAgents } from '../../../src/adapters/userData/knownAgents.ts';
import { loadScenario } from '../../../src/app/assets/scenarios.ts';
import { cleanUp } from '../../../src/core/job/cloneCleanUp.ts';
import { DEFAULT_OPTIONS } from '../../../src/core/job/defaults.ts';
import { PRICES } from '../../../src/core/money/price/prices.ts';
import { observations } from '../../../src/core/routing/evidence.ts';
import type { LoopPorts } from '../../../src/engine/job/context.ts';
import { filingCheck } from '../../../src/engine/job/filing.ts';
import type { EngineRequests } from '../../../src/engine/job/requests/ports.ts';
import { VERIFY_TIMEOUT_MS } from '../../../src/engine/job/work/commands.ts';
import { projectRequests } from '../../../src/engine/project/requests.ts';
import type { CommandRequest, CommandResult, CommandRunner } from '../../../src/engine/session/commandPorts.ts';
import type { Gateway } from '../../../src/engine/session/gatewayPorts.ts';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import type { Engine, EngineListener } from '../../../src/engine/state/api.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { taskRequests } from '../../../src/engine/task/ask/requests.ts';
import { handleRequest, requestTable } from '../../../src/engine/workspace/requests.ts';
import { type FoldingStore, foldingStore } from '../../../src/engine/workspace/threads/foldingStore.ts';
import { type ProjectJobs, projectJobs } from '../../../src/engine/workspace/threads/jobs.ts';
import { failure, toPlain } from '../../../src/shared/errors.ts';
import { ONE_FEATURE } from '../demo/briefs.ts';
import { MemoryGit } from '../git/memoryGit.ts';
import { faultyProvider } from '../provider/memoryProvider.ts';
import type { Fault, ServedRequest } from '../provider/messagesServer.ts';
import { memoryLog, openMemoryStore } from '../state/memoryStore.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { JobWorld } from './jobWorld.ts';
import { projectPorts } from './projectPorts.ts';
import { taskPorts } from './taskPorts.ts';

type Outcome = { readonly exitCode: number; readonly output?: string };

/** What a command comes to, by its words; every one that is not named succeeds. */
export type Outcomes = Readonly<Record<string, (cwd: string) => Outcome | Promise<Outcome>>>;

export interface LoopOptions {
  readonly scenario?: Scenario;
  /** Of the repository's first commit. */
  readonly files?: Readonly<Record<string, string>>;
  readonly faults?: (request: ServedRequest) => Fault | null;
  readonly commands?: Outcomes;
  /** Starts background commands. Absent: none is started. */
  readonly start?: CommandRunner['start'];
  /** Whether the runner reports a sandbox. Default: false, so that the verify commands do not run before the work. */
  readonly sandboxed?: boolean;
  /** Time stands still, unless its sleeps are to be over at once. */
  readonly skipSleeps?: boolean;
}

const refuseStart: CommandRunner['start'] = async () => ({ ended: 'refused', why: 'no program stays here' });
const PROJECT_DIR = '/home/me/project';
const COMMANDS = [['ls'], ['sh', 'check.sh']];

export class LoopWorld extends JobWorld implements AsyncDisposable {
  readonly git: MemoryGit;
  readonly clock: FakeClock;
  readonly requests: ServedRequest[] = [];
  readonly owner: Pick<Engine, 'state' | 'request' | 'follow'>;
  readonly #folder = mkdtempSync(join(inject('tempRoot'), 'l-'));
  readonly #gateway: Gateway;
  readonly #jobs: ProjectJobs;

  private constructor(options: LoopOptions, store: Store, clock: FakeClock) {
    super(COMMANDS);
    this.clock = clock;
    this.git = new MemoryGit(options.files ?? { 'README.md': 'A program.\n' });
    const provider = faultyProvider({
      scenario: options.scenario ?? ONE_FEATURE,
      faults: options.faults ?? (() => null),
      requests: this.requests,
    });
    this.#gateway = createGateway({ ledger: store, clock, providerOf: () => provider, random: () => 0.5 });
    const listeners = new Set<EngineListener>();
    const folding = foldingStore(structuredClone(store.state), {
      commit: async (draft) => {
        try {
          const value = await store.commit(draft);
          await hop();
          return { value };
        } catch (thrown) {
          return { failure: toPlain(thrown) };
        }
      },
      nextIds: async (table, count) => store.nextIds(table as Parameters<Store['nextIds']>[0], count),
    });
    const ports = this.#ports(folding, options, (line) => {
      for (const listener of listeners) listener.live?.(line);
    });
    this.#jobs = projectJobs(ports, (jobId, _, failed) => {
      if (failed !== null) for (const listener of listeners) listener.failed?.(jobId, failed);
    });
    store.subscribe((event, changes) => {
      for (const listener of listeners) listener.event?.(event);
      // A worker thread hears of it a little later.
      void hop().then(() => {
        folding.fold(changes);
        this.#jobs.heard(event);
      });
    });
    const requests = this.#requests(store);
    this.owner = {
      state: store.state,
      request: (name, input) => handleRequest(requests, name, input),
      follow: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    this.hear();
  }

  static async open(options: LoopOptions = {}): Promise<LoopWorld> {
    const clock = new FakeClock({ skipSleeps: options.skipSleeps ?? false });
    return new LoopWorld(options, await openMemoryStore(clock, memoryLog()), clock);
  }

  /** The loop comes to rest, and nothing goes on any more. */
  async close(): Promise<void> {
    await this.#jobs.stop();
    await this.#gateway.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #ports(
    store: FoldingStore,
    { commands = {}, start = refuseStart, sandboxed = false }: LoopOptions,
    live: LoopPorts['live'],
  ): LoopPorts {
    const transcripts = new Map<number, TranscriptEntry[]>();
    const artifacts = new Map<string, string>();
    const kept = new Map<number, Uint8Array>();
    return {
      store,
      git: this.git,
      commands: {
        sandbox: async () => ({ mode: sandboxed ? 'sandboxed' : 'unconfined', detail: 'none', missing: [] }),
        run: async (request) => runInMemory(request, commands),
        converse: () => Promise.reject(failure('INTERNAL', 'no program talks here')),
        start,
        openSession: () => ({
          tmp: '/nowhere',
          output: '/nowhere',
          shell: 'bash',
          sharesNetwork: () => false,
          close: async () => undefined,
        }),
      },
      agents: {
        paidByUs: () => Promise.reject(failure('AGENT_MISSING', 'there is no agent here')),
        open: () => Promise.reject(failure('AGENT_MISSING', 'there is no agent here')),
      },
      artifacts: {
        put: async (text) => {
          const name = keptHash(Buffer.from(text));
          artifacts.set(name, text);
          return name;
        },
        get: async (name) => artifacts.get(name) ?? null,
      },
      kept: {
        put: async (attempt, data) => {
          kept.set(attempt, data);
          return keptHash(data);
        },
        get: async (attempt) => {
          const data = kept.get(attempt);
          return data === undefined ? null : { data, hash: keptHash(data) };
        },
      },
      freshPlaces,
      clock: this.clock,
      projectDir: PROJECT_DIR,
      verifyTimeoutMs: VERIFY_TIMEOUT_MS,
      openTranscript: async (sessionId) => {
        const entries = transcripts.get(sessionId) ?? [];
        transcripts.set(sessionId, entries);
        return {
          entries: [...entries],
          append: async (entry) => void entries.push(structuredClone(entry)),
          close: async () => undefined,
        };
      },
      gatewayFetch: (sessionId) => fetchOf(this.#gateway, sessionId),
      openTree,
      openPlace: () => ({
        enter: async () => ({ env: {}, writable: [], readable: [], bin: '' }),
        close: async () => undefined,
      }),
      detectSetup: async () => [],
      setupGap,
      routingRecord: async (provider) => observations(store.state, provider),
      projectBody: async (projectId) => store.state.projects.get(projectId)?.body.trim() ?? '',
      live,
    };
  }

  #requests(store: Store): EngineRequests {
    let runs = 0;
    return {
      ...requestTable({
        store,
        git: this.git,
        clock: this.clock,
        projectDir: PROJECT_DIR,
        jobsDir: join(this.#folder, 'jobs'),
        ready: filingCheck({ git: this.git, door: null, prices: PRICES }, () => undefined),
        defaults: DEFAULT_OPTIONS,
        agents: async () => builtInAgents(),
        connections: () => ({}),
        loadedContext: async () => null,
        resolveScenario: async (name) => {
          await loadScenario(name);
          return name;
        },
        work: (jobId) => void hop().then(() => this.#jobs.work(jobId, ++runs)),
      }),
      ...projectRequests(projectPorts(store)),
      ...taskRequests(taskPorts(store)),
      importRecord: async () => ({ jobs: 0, tasks: 0, sessions: 0 }),
      cleanClones: async () => cleanUp([], 0),
    };
  }
}

/** What the way to another thread costs: a turn of the event loop. */
const hop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function runInMemory(
  { command, cwd, allowed, approved, signal }: CommandRequest,
  outcomes: Outcomes,
): Promise<CommandResult> {
  const plain = { exitCode: null, output: '', durationMs: 1, sandboxed: false };
  if (!approved && !allowed.some((argv) => argv.join(' ') === command)) return { ...plain, ended: 'refused' };
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const outcome = await Promise.race([aborted, outcomes[command]?.(cwd) ?? { exitCode: 0 }]);
  return outcome === null ? { ...plain, ended: 'aborted' } : { ...plain, ...outcome, ended: null };
}

function fetchOf(gateway: Gateway, sessionId: number): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const asked = {
      sessionId,
      path: pathname + search,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    };
    const { status, headers, body } = await gateway.call(asked, init?.signal ?? request.signal);
    return new Response(body, { status, headers });
  };
}
