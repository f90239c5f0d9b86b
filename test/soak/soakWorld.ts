/** A repository, a provider that goes wrong now and then, and the shipped program at work in it for as long as its plan says. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findWorkspacePaths } from '../../src/app/workspace/findWorkspacePaths.ts';
import { isFinal, JOB } from '../../src/core/state/machines.ts';
import type { WorkspacePaths } from '../../src/engine/state/workspacePaths.ts';
import type { Event } from '../../src/shared/workspace/events.ts';
import type { State } from '../../src/shared/workspace/state.ts';
import { plainGit } from '../support/git/gitFixture.ts';
import { repliesKept } from '../support/invariants/money.ts';
import { type UserTree, userTree } from '../support/invariants/userTree.ts';
import { faultsOf } from '../support/kill/killFaults.ts';
import { type KillProcess, killProcess, makeRepository, ownerEnv } from '../support/kill/killProcess.ts';
import { PROJECT } from '../support/kill/killWork.ts';
import { visitOwner } from '../support/process/ownerVisit.ts';
import { processesOf } from '../support/process/processes.ts';
import { type Fault, type MessagesServer, startMessagesServer } from '../support/provider/messagesServer.ts';
import { wholeLines } from '../support/state/eventFiles.ts';
import type { Built } from '../support/suite/plantedBug.ts';
import { randomOf } from '../support/suite/proof.ts';
import { SoakDriver } from './soakDriver.ts';
import { type AtRest, beyondNew, type Compared } from './soakFresh.ts';
import { WARM_UP } from './soakJudgement.ts';
import { Mischief } from './soakMischief.ts';
import type { ThreadSample } from './soakPreload.ts';
import { lookAt, namesIn, type Outside, type Sample } from './soakProbe.ts';
import { soakScenario } from './soakWork.ts';

export interface SoakPlan {
  readonly seconds: number;
  /** The time is over before, when so many are. */
  readonly jobs: number;
  /** Projects with a job each. */
  readonly lanes: readonly string[];
  readonly seed: number;
  /** One of so many requests goes wrong; 0: none, and nothing else goes wrong either. */
  readonly faults: number;
  /** How long the provider thinks, ms, at least. */
  readonly thinkMs: number;
  readonly sampleMs: number;
  /** Whether its threads are asked too: each time costs them a garbage collection. */
  readonly inside: boolean;
  /** Between two messages; a task comes half as often. */
  readonly messageMs: number;
  /** Of the owner, in the warm-up; there is one more when the time is over and all is at rest. */
  readonly kills: number;
  /** That the new owner has after that, in as many lanes; besides a message and a task. */
  readonly lastJobs: number;
}

/** How a life of the owner ends: at its time, at rest, or at rest after it replaced one that was at rest too. */
type End = 'killed' | 'rested' | 'new';

/** Of all clones, after a clean-up; those at work may be there besides. */
const CLONES_BYTES = 250_000;
const AT_WORK_BYTES = 50_000;
/** Node's own, for all that it runs. */
const SHARED = 'node-compile-cache';
/** Where a command has one, as root and with version 1 of them. */
const CELLS = '/sys/fs/cgroup/pids';
const MISCHIEF_MS = 15_000;
/** Looks at what is at rest: so many, so far apart. */
const LOOKS = 2;
const LOOK_MS = 1_000;
const END_MS = 300_000;
const PRELOAD = fileURLToPath(new URL('./soakPreload.ts', import.meta.url));

export class SoakWorld implements AsyncDisposable {
  readonly folder: string;
  readonly places: WorkspacePaths;
  readonly server: MessagesServer;
  readonly ceilingBytes: number;
  readonly driver: SoakDriver;
  readonly mischief: Mischief;
  readonly told: Event[] = [];
  readonly stuck: string[] = [];
  readonly paidTwice: string[] = [];
  readonly samples: Sample[] = [];
  readonly before: UserTree;
  kills = 0;
  readonly #plan: SoakPlan;
  readonly #cli: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #begun = performance.now();
  readonly #pids: number[] = [];
  readonly #rests: AtRest[] = [];
  #nth = 0;
  /** As of the last look. */
  #jobs = 0;

  private constructor(programs: Built, plan: SoakPlan, places: WorkspacePaths, folder: string, server: MessagesServer) {
    this.#plan = plan;
    this.#cli = fileURLToPath(programs.program('cli'));
    this.places = places;
    this.folder = folder;
    this.server = server;
    this.ceilingBytes = CLONES_BYTES + plan.lanes.length * AT_WORK_BYTES;
    this.driver = new SoakDriver(plan.lanes, CLONES_BYTES);
    this.before = userTree(places.projectDir);
    this.mischief = new Mischief(randomOf(plan.seed), MISCHIEF_MS);
    this.#env = { ...ownerEnv(folder, places, server), TMPDIR: join(folder, 'temp') };
  }

  static async open(programs: Built, plan: SoakPlan): Promise<SoakWorld> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-soak-')));
    const repo = join(folder, 'repo');
    makeRepository(repo, 'dirty');
    for (const name of ['home', 'temp']) mkdirSync(join(folder, name));
    const found = await findWorkspacePaths(repo, join(folder, 'jobs'));
    const places = { ...found, configDir: join(folder, 'config'), runtimeDir: join(folder, 'run') };
    const faults = faultsOf(plan.seed, plan.faults);
    const think: Fault = { kind: 'delay', ms: plan.thinkMs };
    const server = await startMessagesServer({
      scenario: soakScenario,
      faults: (request) => faults(request) ?? think,
      keep: false,
    });
    return new SoakWorld(programs, plan, places, folder, server);
  }

  /**
   * From the beginning to the rest after the end, and once more with a new owner, who does a little of everything, so that all threads of
   * it have worked. Told now and then: what a person wants to see.
   */
  async run(progress: (text: string) => void): Promise<void> {
    const { kills, seconds } = this.#plan;
    for (let kill = 1; kill <= kills; kill++) {
      await this.#fromTheKept(() => this.#live((seconds * WARM_UP * kill) / (kills + 1), 'killed'));
      progress(`killed at ${Math.round(this.#seconds())} s`);
    }
    await this.#fromTheKept(() => this.#live(seconds, 'rested'));
    progress(`killed at ${Math.round(this.#seconds())} s, at rest; a new owner goes on with a job of each project`);
    this.driver.wanted.notes++;
    this.driver.wanted.tasks++;
    await this.#fromTheKept(() => this.#live(this.#seconds(), 'new'));
  }

  /** The two owners over the same state, one after its work, one new to it. */
  get compared(): Compared[] {
    const [old, fresh] = this.#rests;
    if (old === undefined || fresh === undefined) throw new Error('there were no two owners at rest');
    return beyondNew(this.threadSamples(), old, fresh);
  }

  get minutes(): number {
    return Math.round(this.#seconds() / 6) / 10;
  }

  /** What each thread said of itself. */
  threadSamples(): ThreadSample[] {
    const file = this.#samplesFile;
    if (!existsSync(file)) return [];
    return wholeLines(readFileSync(file, 'utf8')).map((line) => JSON.parse(line) as ThreadSample);
  }

  /** What is there after the end, and may not be. */
  leftBehind(): string[] {
    return [
      ...processesOf(this.folder),
      ...namesIn(this.places.runtimeDir).map((name) => `the socket ${name}`),
      ...namesIn(join(this.folder, 'temp'))
        .filter((name) => name !== SHARED)
        .map((name) => `the temp folder ${name}`),
      ...namesIn(CELLS)
        .filter((name) => this.#pids.some((pid) => name.startsWith(`autonomous-${pid}-`)))
        .map((name) => `the cgroup ${name}`),
    ];
  }

  /** What a verb of the terminal prints as JSON; a warning of it is an error here. */
  async json(...words: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.#start([], words).exit;
    if (code !== 0 || stderr !== '') throw new Error(`${words.join(' ')}: ${code} ${stderr}`);
    return JSON.parse(stdout);
  }

  git(...args: string[]): string {
    return plainGit(this.places.projectDir, args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #samplesFile(): string {
    return join(this.folder, 'threads.jsonl');
  }

  /** Answers that are on the disk are not asked for again. */
  async #fromTheKept(live: () => Promise<void>): Promise<void> {
    const kept = repliesKept(this.places.stateDir, PROJECT);
    const billed = this.server.bill.length;
    await live();
    const again = this.server.bill.slice(billed).filter(({ id }) => kept.has(id));
    this.paidTwice.push(...again.map(({ id }) => `${id} was on the disk and was asked for again`));
  }

  /** One process until then; unless it is killed then, on without anything new until all is done. A new one has its last jobs. */
  async #live(until: number, end: End): Promise<void> {
    const url = pathToFileURL(PRELOAD);
    url.searchParams.set('file', this.#samplesFile);
    const owner = this.#start(['--expose-gc', `--import=${url.href}`], ['serve', '--port', '0']);
    this.#nth = 0;
    if (owner.pid !== undefined) this.#pids.push(owner.pid);
    let open: readonly string[] = ['it was never reached'];
    let resting: Promise<void> | null = null;
    const jobs = this.#jobs;
    const over = (): boolean =>
      end === 'new'
        ? this.#jobs >= jobs + this.#plan.lastJobs
        : this.#seconds() >= until || this.#finishedJobs() >= this.#plan.jobs;
    const look = (state: State): void => {
      this.#jobs = state.jobs.size;
      this.driver.filling = !over();
      if (!over() || end === 'killed' || resting !== null) return;
      open = this.driver.open(state, this.places.stateDir);
      if (open.length === 0) resting = this.#rest(owner).then(() => owner.kill(end === 'new' ? 'SIGTERM' : 'SIGKILL'));
    };
    const stop = this.#keepBusy(owner, () => end !== 'new' && !over());
    const last = setTimeout(
      () => owner.kill('SIGKILL'),
      (until - this.#seconds()) * 1_000 + (end === 'killed' ? 0 : END_MS),
    );
    try {
      await visitOwner(owner, this, { told: () => undefined, look });
    } finally {
      clearTimeout(last);
      stop();
    }
    await resting;
    const { code, signal, stderr } = await owner.exit;
    if ((end === 'new' ? code !== 0 : signal !== 'SIGKILL') || (end !== 'killed' && resting === null))
      throw new Error(`it ended by ${code ?? signal}: ${open.join(', ')} ${stderr}`);
    if (end !== 'new') this.kills++;
  }

  /** Looks into an owner that has nothing left to do. What it does a moment later by itself is over then. */
  async #rest({ pid, kill }: KillProcess): Promise<void> {
    if (pid === undefined) return;
    const nths: number[] = [];
    for (let look = 0; look < LOOKS; look++) {
      await wait(LOOK_MS);
      nths.push(this.#nth);
      this.#askThreads(kill);
    }
    await wait(LOOK_MS);
    const seen = this.#lookAt(pid);
    if (seen !== null) this.#rests.push({ ...seen, nths });
  }

  /** What comes by the clock: samples, mischief, messages and tasks. */
  #keepBusy(owner: KillProcess, wanted: () => boolean): () => void {
    const { sampleMs, messageMs, faults } = this.#plan;
    let messages = 0;
    const timers = [
      setInterval(() => wanted() && this.#sample(owner), sampleMs),
      setInterval(() => {
        if (!wanted()) return;
        this.driver.wanted.notes++;
        if (messages++ % 2 === 0) this.driver.wanted.tasks++;
      }, messageMs),
    ];
    let turning = Promise.resolve();
    const { pid } = owner;
    if (faults > 0 && pid !== undefined) {
      const turn = async (): Promise<void> => {
        if (this.driver.engine !== null) await this.mischief.turn(this.driver.engine, pid, wanted());
      };
      timers.push(setInterval(() => (turning = turning.then(turn)), 200));
    }
    return () => timers.map(clearInterval);
  }

  #sample({ pid, kill }: KillProcess): void {
    const { engine } = this.driver;
    // Not before it answers: it would not hear the signal, but end by it.
    if (engine === null || pid === undefined) return;
    const seen = this.#lookAt(pid);
    if (seen === null) return;
    this.samples.push({ ...seen, seconds: this.#seconds(), nth: this.#nth, finishedJobs: this.#finishedJobs() });
    if (this.#plan.inside) this.#askThreads(kill);
  }

  #lookAt(pid: number): Outside | null {
    const { jobsDir, stateDir } = this.places;
    return lookAt(pid, { clones: jobsDir, state: stateDir, temp: join(this.folder, 'temp') });
  }

  #askThreads(kill: KillProcess['kill']): void {
    this.#nth++;
    kill('SIGUSR2');
  }

  #finishedJobs(): number {
    const jobs = this.driver.engine?.state.jobs.values() ?? [];
    return [...jobs].filter(({ status }) => isFinal(JOB, status)).length;
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1_000;
  }

  #start(flags: readonly string[], words: readonly string[]): KillProcess {
    return killProcess([this.#cli, '--project-dir', this.places.projectDir, '--json', ...words], this.#env, flags);
  }
}
