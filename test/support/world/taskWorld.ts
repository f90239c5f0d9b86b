/** Tasks over the real reducer and runner, with a store in memory, a clock that stands still, and work that a test ends as it likes. */

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { need, taskSteps } from '../../../src/core/state/rows.ts';
import { problemSentences } from '../../../src/core/task/script/check.ts';
import type { Input } from '../../../src/engine/job/requests/ports.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { EventLog } from '../../../src/engine/state/storePorts.ts';
import { taskRequests } from '../../../src/engine/task/ask/requests.ts';
import { keepResults } from '../../../src/engine/task/lead/keptResults.ts';
import type { RunnerPorts } from '../../../src/engine/task/ports.ts';
import { Runner } from '../../../src/engine/task/runner.ts';
import {
  type Json,
  type TaskInput,
  type TaskRow,
  type TaskStepRow,
  taskSchema,
} from '../../../src/shared/task/tasks.ts';
import type { StepOrder, StepResult } from '../../../src/shared/task/taskWork.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { addProject, JOB_OPTIONS, memoryLog, openMemoryStore } from '../state/memoryStore.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { taskPorts } from './taskPorts.ts';

/** Work under way, ended by the test. */
export interface Flight {
  readonly order: StepOrder;
  readonly signal: AbortSignal;
  end(result: StepResult): void;
}

export const gave = (result: Json): StepResult => ({ outcome: 'completed', result, session: null });
export const went = (error: string): StepResult => ({ outcome: 'failed', error, result: null, session: null });

type Worker = (order: StepOrder) => StepResult | null;

export class TaskWorld {
  readonly clock = new FakeClock();
  readonly log: EventLog & { readonly events: Event[] };
  /** Everything that was ever begun, in order. */
  readonly flights: Flight[] = [];
  readonly files = new Map<string, string>();
  readonly briefs: string[] = [];
  /** Jobs that an owner found under way. */
  readonly taken: string[] = [];
  readonly cancelled: string[] = [];
  readonly problems: string[] = [];
  /** What ends at once; null: the test ends it. */
  worker: Worker = () => null;
  actionNames: string[] = [];
  #actionsChanged = (): void => undefined;
  #lives = 0;
  store!: Store;
  runner!: Runner;

  private constructor() {
    this.log = memoryLog();
  }

  static async open(worker?: Worker): Promise<TaskWorld> {
    const world = new TaskWorld();
    if (worker !== undefined) world.worker = worker;
    world.store = await openMemoryStore(world.clock, world.#ownLog());
    await addProject(world.store, 'api');
    world.runner = new Runner(world.#ports());
    return world;
  }

  get requests() {
    const nowMs = this.clock.now();
    return taskRequests({
      ...taskPorts(this.store),
      clock: this.clock,
      problemsOf: (steps) => problemSentences(steps, { nowMs, actions: null }),
    });
  }

  /** Made and started. */
  async begin(steps: TaskInput['steps'], fields: Partial<TaskInput> = {}): Promise<string> {
    const definition = taskSchema.parse({ name: 'Task', completionBehavior: 'SILENT', ...fields, steps });
    const { taskId } = await this.requests.createTask({ project: 'api', definition, start: true, by: 'steward' });
    return taskId;
  }

  task(id: string): TaskRow {
    return need(this.store.state, 'tasks', id);
  }

  steps(id: string): TaskStepRow[] {
    return taskSteps(this.store.state, this.task(id));
  }

  /** e.g. `COMPLETED RUNNING PENDING` */
  statuses(id: string): string {
    return this.steps(id)
      .map(({ status }) => status)
      .join(' ');
  }

  results(id: string): Json[] {
    return this.steps(id).map(({ result }) => result);
  }

  get messages(): string[] {
    return [...this.store.state.messages.values()].map(({ level, text }) => `${level}: ${text}`);
  }

  /** Resolves when it is so; looks after each turn of the event loop. */
  async until(isSo: () => boolean, what = 'it'): Promise<void> {
    for (let turns = 0; !isSo(); turns++) {
      if (turns > 20_000)
        throw new Error(`${what} never came: ${JSON.stringify([...this.store.state.task_steps.values()])}`);
      await setImmediate();
    }
  }

  /** Nothing goes on by itself any more. */
  async rest(): Promise<void> {
    for (let seq = -1, quiet = 0; quiet < 20; quiet++) {
      await setImmediate();
      if (this.store.state.meta.last_seq !== seq) quiet = 0;
      seq = this.store.state.meta.last_seq;
    }
  }

  over(id: string, status = 'COMPLETED'): Promise<void> {
    return this.until(() => this.task(id).status === status, `${status} of ${id}`);
  }

  /** The nth piece of work, once it is under way. */
  async flight(at: number): Promise<Flight> {
    await this.until(() => this.flights.length > at, `work ${at}`);
    const flight = this.flights[at];
    if (flight === undefined) throw new Error('there is none');
    return flight;
  }

  register(...names: string[]): void {
    this.actionNames.push(...names);
    this.#actionsChanged();
  }

  /** As a kill leaves it: another owner reads the log, and nothing of the old one reaches it any more. */
  async kill(): Promise<void> {
    const old = this.runner;
    this.#lives++;
    this.store = await openMemoryStore(this.clock, this.#ownLog());
    void old.close();
    this.runner = new Runner(this.#ports());
  }

  async close(): Promise<void> {
    await this.runner.close();
    await this.store.close();
  }

  /** The log as one owner appends to it, as long as it lives. */
  #ownLog(): EventLog {
    const { log } = this;
    const life = this.#lives;
    return {
      ...log,
      append: async (events) => {
        await setImmediate();
        if (life !== this.#lives) return new Promise(() => undefined);
        log.events.push(...events);
        const { epoch = 0, seq = 0 } = log.events.at(-1) ?? {};
        return { epoch, seq, mac: String(seq) };
      },
    };
  }

  #ports(): RunnerPorts {
    const { store } = this;
    return {
      store,
      clock: this.clock,
      worker: { carryOut: (order, signal) => this.#fly(store, order, signal) },
      actions: {
        names: () => this.actionNames,
        changed: (listener) => {
          this.#actionsChanged = listener;
          return () => undefined;
        },
      },
      results: keepResults(
        store,
        {
          put: async (text) => {
            const name = createHash('sha256').update(text).digest('hex');
            this.files.set(name, text);
            return name;
          },
          get: async (name) => this.files.get(name) ?? null,
          remove: async (name) => void this.files.delete(name),
        },
        (text) => void this.problems.push(text),
      ),
      briefs: {
        newId: () => `job-${this.briefs.length + 1}`,
        file: (id, input) => this.#file(store, id, input),
        goOn: (id) => void this.taken.push(id),
        cancel: async (id, reason) => {
          this.cancelled.push(id);
          await store.commit({ type: 'job_cancelled', job_id: id, reason, by: 'engine' });
        },
      },
      models: { task: 'claude-sonnet-5-5', summarizer: 'claude-haiku-5-5' },
      problem: (text) => void this.problems.push(text),
    };
  }

  #fly(store: Store, order: StepOrder, signal: AbortSignal): Promise<StepResult> {
    const { promise, resolve } = Promise.withResolvers<StepResult>();
    // A killed owner's work reaches nobody.
    const end = (result: StepResult): void => void (store === this.store && resolve(result));
    this.flights.push({ order, signal, end });
    signal.addEventListener('abort', () => resolve({ outcome: 'aborted' }), { once: true });
    const now = this.worker(order);
    if (now !== null) resolve(now);
    return promise;
  }

  async #file(store: Store, id: string, { brief, project, provider, scenario }: Input<'submitBrief'>): Promise<void> {
    this.briefs.push(id);
    const options = { ...JOB_OPTIONS, provider: provider ?? 'simulated', scenario: scenario ?? null };
    const job = {
      id,
      project_id: project,
      title: brief,
      brief,
      options,
      job_dir: `/${id}`,
      branch: `autonomous/${id}`,
    };
    await store.commit({ type: 'brief_submitted', job });
  }
}

/** Opens worlds for the tests of a file, and closes each after its test. */
export function taskWorlds(): (...given: Parameters<typeof TaskWorld.open>) => Promise<TaskWorld> {
  const worlds: TaskWorld[] = [];
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close();
  });
  return async (...given) => {
    const world = await TaskWorld.open(...given);
    worlds.push(world);
    return world;
  };
}

/** A step that asks the model. */
export const generateStep = (name: string, prompt: string, more: object = {}) => ({
  name,
  action: 'llm_generate',
  params: { prompt },
  ...more,
});

export const notifyStep = (name: string, message = name) => ({
  name,
  action: 'notify',
  params: { title: name, message },
});
