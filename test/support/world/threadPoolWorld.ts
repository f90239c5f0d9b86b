/** A thread pool over the real store, reducer and requests, whose threads are played: what a conversation holds outlives them, as a journal does. */

import { setImmediate } from 'node:timers/promises';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import { checkProjectName } from '../../../src/engine/project/names.ts';
import { projectRequests } from '../../../src/engine/project/requests.ts';
import type { OwnerCalls, ProjectThread, WorkerStart } from '../../../src/engine/project/threadPorts.ts';
import type { RequestInput } from '../../../src/engine/state/api.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { ThreadPool } from '../../../src/engine/workspace/threads/threadPool.ts';
import type { PlainFailure } from '../../../src/shared/errors.ts';
import type { StepAssignment, StepResult } from '../../../src/shared/task/taskWork.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { applyChanges, type Change, type State } from '../../../src/shared/workspace/state.ts';
import { JOB_OPTIONS, type MemoryLog, memoryLog, openMemoryStore } from '../state/memoryStore.ts';
import type { FakeClock } from '../time/fakeClock.ts';
import { threadStart } from './ownerCalls.ts';

/** Where a thread dies in the middle of an answer. */
export type Fate = 'lives' | 'dies_before' | 'dies_between' | 'hangs';

export class PlayedThread implements ProjectThread {
  readonly start: WorkerStart;
  readonly owner: OwnerCalls;
  readonly works: string[] = [];
  #lastRun = 0;
  #hangs = false;
  state: State | null = null;
  isGone = false;
  readonly #journals: Map<string, number[]>;
  readonly #fate: () => Fate;
  readonly #gone = Promise.withResolvers<string | null>();
  readonly gone = this.#gone.promise;
  #talk: { run: number } | null = null;

  constructor(start: WorkerStart, owner: OwnerCalls, journals: Map<string, number[]>, fate: () => Fate) {
    this.start = start;
    this.owner = owner;
    this.#journals = journals;
    this.#fate = fate;
  }

  load(state: State): void {
    if (this.state !== null) throw new Error('loaded twice');
    this.state = structuredClone(state);
  }

  fold(_event: Event, changes: readonly Change[]): void {
    if (this.state === null) throw new Error('an event for a thread that holds nothing');
    applyChanges(this.state, structuredClone(changes));
  }

  work(jobId: string, run: number): void {
    this.#lastRun = run;
    if (this.state?.jobs.get(jobId)?.project_id !== this.start.projectId) throw new Error(`${jobId} is not its job`);
    this.works.push(jobId);
  }

  converse(run: number): void {
    if (this.#talk !== null) this.#talk.run = run;
    else void this.#answer(run);
  }

  /** Takes every message that the journal does not hold, in the order of their ids. */
  async #answer(run: number): Promise<void> {
    const talk = { run };
    this.#talk = talk;
    const journal = this.#journals.get(this.start.projectId) ?? [];
    this.#journals.set(this.start.projectId, journal);
    for (;;) {
      await setImmediate();
      if (this.isGone) return;
      const fate = this.#fate();
      if (fate === 'dies_before') return this.die();
      if (fate === 'hangs') {
        this.#hangs = true;
        return;
      }
      const last = journal.at(-1) ?? 0;
      const next = [...(this.state?.messages.values() ?? [])]
        .filter((row) => row.direction === 'in' && (row.read_at === null || row.id > last))
        .sort((a, b) => a.id - b.id);
      const unheld = next.find((row) => row.id > last);
      if (unheld !== undefined) journal.push(unheld.id);
      if (fate === 'dies_between') return this.die();
      const upTo = journal.at(-1);
      if (unheld === undefined && !next.some((row) => row.read_at === null)) break;
      if (upTo === undefined) break;
      await this.owner.commit({
        type: 'messages_read',
        project_id: this.start.projectId,
        direction: 'in',
        up_to: upTo,
      });
      if (this.isGone) return;
    }
    this.#talk = null;
    this.owner.conversed(talk.run, null);
  }

  /** Steps that it was given, each to be ended by the test. */
  readonly steps: { readonly run: number; readonly order: StepAssignment; end(result: StepResult): void }[] = [];

  step(run: number, order: StepAssignment): Promise<StepResult> {
    const ended = Promise.withResolvers<StepResult>();
    this.steps.push({ run, order, end: ended.resolve });
    const lost = this.gone.then(
      (cause): StepResult => (cause === null ? { outcome: 'aborted' } : { outcome: 'interrupted', error: cause }),
    );
    return Promise.race([ended.promise, lost]);
  }

  abortStep(run: number): void {
    this.steps.find((step) => step.run === run)?.end({ outcome: 'aborted' });
  }

  /** The loop of the job that it was given last is over. */
  end(): void {
    this.owner.ended(this.works.at(-1) ?? '', this.#lastRun, null);
  }

  ping(): Promise<void> {
    return this.#hangs ? this.gone.then(() => undefined) : Promise.resolve();
  }

  die(cause = 'Error: planted'): void {
    this.#leave(cause);
  }

  kill(cause: string): void {
    this.#leave(cause);
  }

  async stop(): Promise<void> {
    await setImmediate();
    this.#leave(null);
  }

  #leave(cause: string | null): void {
    this.isGone = true;
    this.#gone.resolve(cause);
  }
}

export class ThreadPoolWorld {
  readonly clock: FakeClock;
  readonly log: MemoryLog = memoryLog();
  readonly journals = new Map<string, number[]>();
  readonly threads: PlayedThread[] = [];
  readonly problems: string[] = [];
  readonly failures: [jobId: string, failed: PlainFailure | null][] = [];
  /** Projects whose journal lacks the answer that the ledger has. */
  readonly openEnded = new Set<string>();
  fate: Fate = 'lives';
  store!: Store;
  threadPool!: ThreadPool;
  /** Projects that two threads were ever there for at once. */
  readonly doubles: string[] = [];
  #jobs = 0;

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  /** An owner begins. */
  async open(): Promise<this> {
    this.store = await openMemoryStore(this.clock, this.log);
    this.threadPool = new ThreadPool({
      store: this.store,
      clock: this.clock,
      spawn: (start, owner) => {
        if (this.liveThreads(start.projectId).length > 0) this.doubles.push(start.projectId);
        const thread = new PlayedThread(start, owner, this.journals, () => this.fate);
        this.threads.push(thread);
        return thread;
      },
      live: () => undefined,
      ended: (jobId, failed) => this.failures.push([jobId, failed]),
      start: (projectId) =>
        threadStart(projectId, '/w', this.store.state.projects.get(projectId)?.workdir ?? undefined),
      isAnswered: async (projectId) => !this.openEnded.has(projectId),
      submitBrief: async () => ({ jobId: 'none' }),
      taskTool: async () => '',
      jobTool: async () => '',
      recall: () => '',
      mainTool: async () => '',
      briefing: async () => ({ now: '', others: [], waiting: [], repository: '' }),
      delivery: () => '',
      problem: (text) => this.problems.push(text),
      evalResults: async () => [],
    });
    return this;
  }

  get requests() {
    return projectRequests({
      store: this.store,
      defaults: plainDefinition(),
      agents: async () => ({}),
      connections: () => ({}),
      ready: async () => undefined,
      conversationModel: 'claude-sonnet-5-5',
      checkName: checkProjectName,
      checkFree: async () => undefined,
      begin: async () => ({}),
      checkWorkdir: async (path) => path,
      foundDefinition: async () => plainDefinition(),
    });
  }

  async create(name: string): Promise<void> {
    await this.store.commit({
      type: 'project_created',
      project: { id: name, model: null, workdir: null, definition: plainDefinition() },
      by: 'steward',
    });
  }

  /** Its id, once it is acknowledged. */
  async say(project: string, text = 'hello', from: RequestInput<'sendMessage'>['from'] = 'steward'): Promise<number> {
    const { messageId } = await this.requests.sendMessage({ project, text, from, relayedFrom: null });
    return messageId;
  }

  async job(project: string): Promise<string> {
    const id = `job-${++this.#jobs}`;
    const job = { id, project_id: project, title: id, brief: id, job_dir: `/jobs/${id}`, branch: `autonomous/${id}` };
    await this.store.commit({ type: 'brief_submitted', job: { ...job, options: JOB_OPTIONS } });
    this.threadPool.work(id);
    return id;
  }

  liveThreads(project: string): PlayedThread[] {
    return this.threads.filter((thread) => !thread.isGone && thread.start.projectId === project);
  }

  thread(project: string): PlayedThread {
    const [thread] = this.liveThreads(project);
    if (thread === undefined) throw new Error(`${project} has no thread`);
    return thread;
  }

  status = (project: string) => this.store.state.projects.get(project)?.status;

  /** An owner ends as one that is killed: its threads are gone with it. */
  async kill(): Promise<void> {
    const stopped = this.threadPool.stop();
    for (const thread of this.threads) thread.kill('killed');
    await stopped;
    await this.store.close();
  }

  async close(): Promise<void> {
    await this.threadPool.stop();
    await this.store.close();
  }
}

/** Everything that can happen without time going on has happened. */
export async function settled(world: ThreadPoolWorld): Promise<void> {
  let quiet = 0;
  for (let before = world.log.events.length; quiet < 6; quiet++) {
    await setImmediate();
    if (world.log.events.length !== before) quiet = 0;
    before = world.log.events.length;
  }
}
