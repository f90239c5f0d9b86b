/** Serves the HTTP API with the engine that is reached: the owner in this process, or in another process. */

import { taskWaiting } from '../../../core/job/view/waiting.ts';
import type { Clock } from '../../../shared/clock.ts';
import { findFailure } from '../../../shared/errors.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Engine } from '../../state/api.ts';
import type { TaskService } from './apiPorts.ts';

export interface EngineTaskServicePorts {
  readonly clock: Clock;
  /** The engine that is reachable now, never one that was lost. */
  reach(): Promise<Engine>;
  failed(thrown: unknown): void;
  /** Whether to keep an owner alive without clients, so that pending work runs. */
  readonly keeps: boolean;
}

/** After the owner went away, for those who only listen. */
const BETWEEN_MS = 500;
/** A client receives its own change after the owner's answer, normally at once. */
const SETTLE_MS = 5_000;

export class EngineTaskService implements TaskService {
  readonly #ports: EngineTaskServicePorts;
  readonly #hearers = new Set<() => void>();
  #followed: { readonly engine: Engine; readonly stop: () => void } | null = null;
  #closed = false;

  constructor(ports: EngineTaskServicePorts) {
    this.#ports = ports;
  }

  async state(): Promise<State> {
    return (await this.#engine()).state;
  }

  async create({ project, start, ...made }: Parameters<TaskService['create']>[0]) {
    const engine = await this.#engine();
    const of = project === undefined ? {} : { project };
    const { taskId, problems } = await engine.request('createTask', { ...of, ...made, start, by: 'api' });
    await this.#settled(engine, ({ tasks }) => tasks.has(taskId));
    return { taskId, problems };
  }

  async addSteps(taskId: string, steps: Parameters<TaskService['addSteps']>[1]): Promise<readonly string[]> {
    const engine = await this.#engine();
    const { stepIds, problems } = await engine.request('addTaskSteps', { taskId, steps: [...steps], by: 'api' });
    await this.#settled(engine, ({ task_steps }) => stepIds.every((id) => task_steps.has(id)));
    return problems;
  }

  async start(taskId: string): Promise<void> {
    const engine = await this.#engine();
    await engine.request('startTask', { taskId, by: 'api' });
    await this.#left(engine, taskId, ['PENDING']);
  }

  async pause(taskId: string, reason: string | undefined): Promise<void> {
    const engine = await this.#engine();
    await engine.request('pauseTask', { taskId, by: 'api', ...(reason === undefined ? {} : { reason }) });
    await this.#left(engine, taskId, ['RUNNING']);
  }

  async resume(taskId: string, budgetUsd: number | null | undefined): Promise<void> {
    const engine = await this.#engine();
    const task = engine.state.tasks.get(taskId);
    // A task that runs can only wait.
    if (task?.status === 'RUNNING' && budgetUsd === undefined && taskWaiting(engine.state, task) !== null) {
      await engine.request('tryNow', { of: 'task', id: taskId, by: 'api' });
      return;
    }
    const budgetMicroUsd = budgetUsd == null ? budgetUsd : Math.round(budgetUsd * 1e6);
    await engine.request('resumeTask', {
      taskId,
      by: 'api',
      ...(budgetMicroUsd === undefined ? {} : { budgetMicroUsd }),
    });
    await this.#left(engine, taskId, ['PAUSED']);
  }

  async cancel(taskId: string, reason: string | undefined): Promise<void> {
    const engine = await this.#engine();
    await engine.request('cancelTask', { taskId, by: 'api', ...(reason === undefined ? {} : { reason }) });
    await this.#left(engine, taskId, ['PENDING', 'RUNNING', 'PAUSED']);
  }

  async retry(taskId: string): Promise<void> {
    const engine = await this.#engine();
    await engine.request('retryTask', { taskId, by: 'api' });
    await this.#left(engine, taskId, ['FAILED']);
  }

  follow(heard: () => void): () => void {
    this.#hearers.add(heard);
    return () => this.#hearers.delete(heard);
  }

  close(): void {
    this.#closed = true;
    this.#followed?.stop();
    this.#followed = null;
  }

  async #engine(): Promise<Engine> {
    const engine = await this.#ports.reach();
    if (engine !== this.#followed?.engine && !this.#closed) this.#follow(engine);
    return engine;
  }

  #follow(engine: Engine): void {
    this.#followed?.stop();
    const notify = (): void => {
      for (const heard of this.#hearers) heard();
    };
    const stop = engine.follow({ event: notify, lost: () => void this.#again(engine) });
    this.#followed = { engine, stop };
    notify();
  }

  /** Subscribers send no requests, so the next owner is looked for on their behalf, or on that of pending work. */
  async #again(lost: Engine): Promise<void> {
    if (this.#followed?.engine !== lost) return;
    this.#followed.stop();
    this.#followed = null;
    while (!this.#closed && this.#followed === null && (this.#ports.keeps || this.#hearers.size > 0)) {
      try {
        await this.#engine();
      } catch (thrown) {
        if (findFailure(thrown) === undefined) this.#ports.failed(thrown);
        await this.#ports.clock.sleep(BETWEEN_MS);
      }
    }
  }

  #left(engine: Engine, taskId: string, statuses: readonly string[]): Promise<void> {
    return this.#settled(engine, ({ tasks }) => !statuses.includes(tasks.get(taskId)?.status ?? ''));
  }

  async #settled(engine: Engine, holds: (state: State) => boolean): Promise<void> {
    if (holds(engine.state)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#ports.clock.timer(SETTLE_MS, resolve);
    const stop = engine.follow({ event: () => holds(engine.state) && resolve(), lost: () => resolve() });
    await promise;
    cancel();
    stop();
  }
}
