/** A terminal without a process: real store, reducer and requests in memory, a scripted loop, streams as text. */

import { expect } from 'vitest';
import { builtInAgents } from '../../../src/adapters/userData/knownAgents.ts';
import { taskTemplates, taskText } from '../../../src/app/workspace/taskTexts.ts';
import { cleanUp } from '../../../src/core/job/cloneCleanUp.ts';
import { jobsToResume } from '../../../src/core/job/leftJobs.ts';
import { need } from '../../../src/core/state/rows.ts';
import type { EngineRequests } from '../../../src/engine/job/requests/ports.ts';
import { projectRequests } from '../../../src/engine/project/requests.ts';
import type { SandboxState } from '../../../src/engine/session/commandPorts.ts';
import type { Engine, EngineListener } from '../../../src/engine/state/api.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { taskRequests } from '../../../src/engine/task/ask/requests.ts';
import { handleRequest, requestTable } from '../../../src/engine/workspace/requests.ts';
import type { OpenedEngine, Workspace } from '../../../src/engine/workspace/workspace.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { LiveLine } from '../../../src/shared/live.ts';
import { type AtWork, NOTHING_AT_WORK } from '../../../src/shared/workspace/atWork.ts';
import { runTerminal } from '../../../src/terminal/runTerminal.ts';
import type { TerminalDeps, TerminalIo } from '../../../src/terminal/screen/world.ts';
import { fakeWorkspaces, lookingAt, type WorkspaceParts, type WorkspacesParts } from '../editor/fakeWorkspace.ts';
import { carryOut, type LoopScript } from '../provider/scriptedLoop.ts';
import { jobOptions, planOf, START_MS } from '../state/builders.ts';
import { openMemoryStore } from '../state/memoryStore.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { projectPorts } from './projectPorts.ts';
import { taskPorts } from './taskPorts.ts';

export const PLAN = planOf({ Core: ['push and pop', 'peek'], Shell: ['command line'] });
const PROJECT_DIR = '/home/me/project';
export const UNCONFINED: SandboxState = {
  mode: 'unconfined',
  detail: 'bubblewrap is missing',
  missing: ['Install bubblewrap.'],
};

export interface WorldOptions {
  readonly script?: Partial<LoopScript>;
  readonly tty?: boolean;
  readonly columns?: number;
  readonly color?: boolean;
  /** What the person types, line by line; after it he says nothing more. */
  readonly typed?: readonly (string | null)[];
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly sandbox?: SandboxState;
  readonly provider?: 'anthropic' | 'simulated';
  /** Another process owns the state: ours are clients, and it carries the jobs out. */
  readonly ownedElsewhere?: boolean;
  readonly workspace?: WorkspaceParts;
  readonly demo?: WorkspacesParts['demo'];
  readonly overrides?: Partial<TerminalDeps>;
}

export interface TerminalWorkspace extends WorkspaceParts {
  look: Workspace['look'];
  open: Workspace['open'];
}

export interface World {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly deps: TerminalDeps;
  /** What `deps.workspaces` has at each place. A change counts from the next verb on. */
  readonly workspace: TerminalWorkspace;
  readonly out: string;
  readonly err: string;
  /** What was asked at the terminal. */
  readonly asked: readonly string[];
  readonly written: ReadonlyMap<string, string>;
  /** The conversation of a project has a turn from now on, until `endTurn`. */
  beginTurn(project: string): void;
  endTurn(project: string): void;
  /** Engines that were opened and not closed. */
  readonly open: number;
  run(...argv: string[]): Promise<number>;
  /** Ctrl-C in a chat. */
  interrupt(): void;
  /** A stop signal. */
  stop(): void;
  /** The owner's process goes away: connections are lost, its loop stops. */
  loseOwner(): void;
  /** What an owner tells besides events. */
  tell(say: (listener: EngineListener) => void): void;
  clear(): void;
  /** Resolves when the condition holds after some event. */
  until(condition: () => boolean): Promise<void>;
}

export async function terminalWorld(options: WorldOptions = {}): Promise<World> {
  const clock = new FakeClock({ now: START_MS });
  const store = await openMemoryStore(clock);
  const script: LoopScript = { plan: PLAN, ...options.script };
  const turns = new Set<string>();
  const written = new Map(Object.entries(options.files ?? {}));
  const stops = new Set<(times: number) => void>();
  const streams = { out: '', err: '' };
  const asked: string[] = [];
  const typed = [...(options.typed ?? [])];
  let times = 0;
  let interrupt = (): boolean => false;
  const stop = (): void => {
    times++;
    for (const run of [...stops]) run(times);
  };
  let elsewhere = options.ownedElsewhere ?? false;
  const engines = new Set<FakeEngine>();

  const io: TerminalIo = {
    out: (text) => {
      streams.out += text;
    },
    err: (text) => {
      streams.err += text;
    },
    isTTY: options.tty ?? false,
    stdinIsTTY: options.tty ?? false,
    columns: options.columns ?? 80,
    rows: 24,
    color: options.color ?? false,
    ask: async (question, signal) => {
      asked.push(question);
      streams.out += question;
      const next = typed.shift();
      if (next !== undefined) {
        streams.out += `${next ?? ''}\n`;
        return next;
      }
      return new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason as Error);
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
    talk: (_prompt, interrupted) => {
      interrupt = interrupted;
      const closed = Promise.withResolvers<null>();
      return {
        next: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          const line = typed.shift();
          return line === undefined ? closed.promise : line;
        },
        say: (text) => {
          streams.out += `${text}\n`;
        },
        close: () => closed.resolve(null),
      };
    },
    readStdin: async () => options.stdin ?? '',
    readFile: async (path) => {
      const text = written.get(path);
      if (text === undefined) throw failure('NOT_FOUND', `there is no file ${path}`);
      return text;
    },
    writeFile: async (path, text) => {
      written.set(path, text);
    },
    edit: async () => null,
  };

  const workspace: TerminalWorkspace = {
    look: async () => lookingAt(store.state, engines.size > 0 ? NOTHING_AT_WORK : null).look(),
    owner: async (_, owned) => {
      const jobs = [...engines].flatMap((engine) => engine.atWork().jobs);
      const works = [...engines].some((engine) => engine.atWork().works);
      return { owned, atWork: owned ? { works, jobs, turns: [...turns] } : NOTHING_AT_WORK, silent: null };
    },
    open: async ({ work }) => {
      const carries = elsewhere || work !== 'nothing';
      const engine = new FakeEngine({
        store,
        clock,
        script,
        provider: options.provider ?? 'simulated',
        carries,
        turns,
        resumes: !elsewhere && work === 'all' && engines.size === 0,
        owner: !elsewhere,
      });
      engines.add(engine);
      engine.onClose = () => engines.delete(engine);
      return engine as OpenedEngine;
    },
    restoreState: async () => null,
    diagnose: async () => [],
    taskTemplates: async () => taskTemplates({ stateDir: `${PROJECT_DIR}/.autonomous`, configDir: '/config' }, clock),
    exportRecord: async (target) => ({ target, files: 3, jobs: 1, hash: 'a'.repeat(64) }),
    ...options.workspace,
    job: {
      checkFirst: async () => undefined,
      preview: async () => ({ describes: 'The planner, attempt 1', body: '{"model":"m","messages":[]}' }),
      diff: async () => 'diff --git a/a.js b/a.js\n+\u001b[2Jhello\n',
      kept: async () => [{ id: 1, bytes: 1_234 }],
      restore: async (_attempt, as) =>
        'branch' in as
          ? { target: as.branch, commit: 'c'.repeat(40), origin: 'b'.repeat(40) }
          : { target: as.patchFile, commit: null, origin: 'b'.repeat(40) },
      cleanUp: async () => cleanUp([], 0),
      ...options.workspace?.job,
    },
    session: {
      transcript: async (id) => `# Session ${id}\n\n\u001b[2Jhello\n`,
      artifact: async (name) => (name === 'kept.txt' ? 'not ok 1\n\u001b[2J\n' : null),
      ...options.workspace?.session,
    },
    agent: {
      list: async () => ({
        agents: Object.entries(builtInAgents()).map(([name, entry]) => ({ name, entry, probe: null })),
        faults: [],
        file: '/config/agents.yaml',
      }),
      look: async () => ({ agents: [], faults: [], file: '/config/agents.yaml' }),
      ...options.workspace?.agent,
    },
    project: {
      found: async () => [
        { name: 'good', fault: null },
        { name: 'link\u001b[2J', fault: 'it is a link' },
      ],
      templates: async () => ['migration', 'my-own'],
      memory: async (project, path) => `${project} ${path ?? 'facts/a.md'}\u001b[2J`,
      ...options.workspace?.project,
    },
    api: { token: async () => ({ token: 'secret', file: '/config/api/project.token' }), ...options.workspace?.api },
  };

  const deps: TerminalDeps = {
    io,
    env: {},
    cwd: PROJECT_DIR,
    clock,
    version: '1.2.3',
    signals: {
      onStop(run) {
        stops.add(run);
        return () => stops.delete(run);
      },
    },
    workspaces: fakeWorkspaces(workspace, {
      taskText: async () => taskText(clock),
      sandbox: async () => options.sandbox ?? { mode: 'sandboxed', detail: 'bubblewrap' },
      demo: { ...options.demo },
    }),
    serveMcp: async () => {
      throw failure('INTERNAL', 'no protocol here');
    },
    serveAcp: async () => {
      throw failure('INTERNAL', 'no protocol here');
    },
    ...options.overrides,
  };

  return {
    store,
    clock,
    deps,
    workspace,
    get out() {
      return streams.out;
    },
    get err() {
      return streams.err;
    },
    asked,
    written,
    beginTurn: (project) => void turns.add(project),
    endTurn(project) {
      turns.delete(project);
      const line = { at: '', jobId: '', sessionId: null, featureId: null, text: '' };
      for (const engine of engines) engine.tell((listener) => listener.live?.(line));
    },
    get open() {
      return engines.size;
    },
    run: (...argv) => runTerminal(argv, deps),
    interrupt() {
      if (!interrupt()) stop();
    },
    stop,
    loseOwner() {
      elsewhere = false;
      for (const engine of engines) engine.lose('the owner ended');
    },
    tell(say) {
      for (const engine of engines) engine.tell(say);
    },
    clear() {
      streams.out = '';
      streams.err = '';
    },
    async until(condition) {
      while (!condition()) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

interface FakeEngineOptions {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly script: LoopScript;
  readonly provider: 'anthropic' | 'simulated';
  readonly carries: boolean;
  readonly turns: ReadonlySet<string>;
  readonly resumes: boolean;
  readonly owner: boolean;
}

/** The owner in this process: the real requests, and a loop for each job that it is to carry out. */
class FakeEngine implements Engine {
  readonly owner: boolean;
  readonly state: Store['state'];
  onClose: () => void = () => undefined;
  readonly #options: FakeEngineOptions;
  readonly #listeners = new Set<EngineListener>();
  readonly #loops = new Map<string, Promise<void>>();
  readonly #wakers = new Set<() => void>();
  readonly #requests: EngineRequests;
  #stopped = false;

  constructor(options: FakeEngineOptions) {
    this.#options = options;
    this.owner = options.owner;
    this.state = options.store.state;
    const { store, clock } = options;
    const git = {
      inspect: async () => ({ root: PROJECT_DIR, head: 'b', branch: 'main', dirty: [], untracked: [], objections: [] }),
    } as unknown as Parameters<typeof requestTable>[0]['git'];
    const jobs = requestTable({
      store,
      git,
      clock,
      projectDir: PROJECT_DIR,
      jobsDir: '/jobs',
      ready: async () => undefined,
      defaults: jobOptions({ provider: options.provider }),
      agents: async () => builtInAgents(),
      connections: () => ({}),
      loadedContext: async () => null,
      resolveScenario: async (name) => name,
      work: (jobId) => this.#work(jobId),
    });
    const cleanClones: EngineRequests['cleanClones'] = async () => cleanUp([], 0);
    const importRecord: EngineRequests['importRecord'] = async () => ({ jobs: 1, tasks: 0, sessions: 3 });
    this.#requests = {
      ...jobs,
      ...projectRequests(projectPorts(store)),
      ...taskRequests(taskPorts(store)),
      importRecord,
      cleanClones,
    };
    store.subscribe((event) => {
      if (this.#stopped) return;
      for (const listener of this.#listeners) listener.event?.(event);
      this.#wake();
    });
    if (options.resumes) for (const id of jobsToResume(store.state, clock.now())) this.#work(id);
  }

  atWork(): AtWork {
    return { works: this.#options.carries, jobs: [...this.#loops.keys()], turns: [...this.#options.turns] };
  }

  request: OpenedEngine['request'] = (name, input) => handleRequest(this.#requests, name, input);

  follow(listener: EngineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  lose(reason: string): void {
    this.#stopped = true;
    this.#wake();
    this.tell((listener) => listener.lost?.(reason));
  }

  tell(say: (listener: EngineListener) => void): void {
    for (const listener of this.#listeners) say(listener);
  }

  async close(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await Promise.all(this.#loops.values());
    this.onClose();
  }

  #wake(): void {
    const woken = [...this.#wakers];
    this.#wakers.clear();
    for (const wake of woken) wake();
  }

  #work(jobId: string): void {
    const { store, clock, script, carries } = this.#options;
    if (!carries || this.#loops.has(jobId) || this.#stopped) return;
    const live = (line: LiveLine): void => {
      for (const listener of this.#listeners) listener.live?.(line);
    };
    const changed = (): Promise<void> =>
      new Promise((resolve) => {
        if (this.#stopped) resolve();
        else this.#wakers.add(resolve);
      });
    const loop = carryOut({ store, clock, script, stopped: () => this.#stopped, changed, live }, jobId).finally(() =>
      this.#loops.delete(jobId),
    );
    this.#loops.set(jobId, loop);
  }
}

/** The newest job. */
export function newestJob(world: World) {
  const [id = ''] = [...world.store.state.jobs.keys()].slice(-1);
  return need(world.store.state, 'jobs', id);
}

/** The output of a verb with `--json`. */
export function json({ out }: World): Record<string, unknown> {
  const value = JSON.parse(out) as Record<string, unknown>;
  expect(value['version']).toBe(1);
  return value;
}

/** Output without what differs from run to run, which is as long as before. */
export function masked(text: string): string {
  return text.replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, '20261102-120000-abcd');
}
