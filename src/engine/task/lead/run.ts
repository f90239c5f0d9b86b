/**
 * Runs one task turn by turn; the state alone decides each turn. A turn records the ended steps and starts new ones, in one
 * event.
 * Then every running step without work in this process is resumed. The only other state is the work in flight.
 */

import { isOver, taskSteps } from '../../../core/state/rows.ts';
import { nextSteps } from '../../../core/task/next.ts';
import { endedStep } from '../../../core/task/reduceSteps.ts';
import { isoTime } from '../../../shared/clock.ts';
import { findFailure, messageOf } from '../../../shared/errors.ts';
import type { StepStart } from '../../../shared/task/taskEvents.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { StepResult } from '../../../shared/task/taskWork.ts';
import { InFlightSteps } from '../inFlightSteps.ts';
import type { RunnerPorts } from '../ports.ts';
import type { StepSemaphore } from '../stepSemaphore.ts';
import type { TaskAlarms } from '../taskAlarms.ts';
import { completedEnd, type Ended, failedEnd, interruptedEnd, refusedText } from './results.ts';
import { failedBy, isOutside, resumeStep, type StepRun, startOf } from './resumeStep.ts';
import { settle } from './settle.ts';
import { givenUp } from './stepAssignments.ts';
import { answerToPause, waitOrAskSteward } from './stepBackoff.ts';

export interface RunOptions {
  readonly taskId: string;
  readonly ports: RunnerPorts;
  readonly alarms: TaskAlarms;
  readonly semaphore: StepSemaphore;
  /** Aborted when the owner stops. */
  readonly closing: AbortSignal;
}

const DISK_AGAIN_MS = 30_000;
/** The cause of a rejected turn is on its way to the disk and will be notified; this is the latest time of the next check. */
const REFUSED_AGAIN_MS = 1_000;
/** Turns in a row that the state refused: one more is a bug. */
const MOST_REFUSED = 20;

const keyOf = ({ id }: TaskStepRow): string => `step ${id}`;

export class TaskRun {
  readonly #options: RunOptions;
  readonly #inFlight: InFlightSteps;
  #ends: Ended[] = [];
  /** Commits that must be made before the next turn. */
  readonly #first: (() => Promise<unknown>)[] = [];
  /** Consecutive deaths of a summary's session. */
  readonly #deaths = new Map<string, number>();
  #again = false;
  #refused = 0;
  #turning: Promise<void> | null = null;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#inFlight = new InFlightSteps({
      ...options,
      failed: (thrown) => ({ outcome: 'failed', result: null, session: null, ...failedBy(thrown) }),
      landed: (thrown) => {
        if (thrown !== undefined) this.#afterFailure(thrown);
        this.goOn();
      },
      // The cause may have ended already, and then no event wakes the task.
      held: () => {
        if (this.#mayBegin()) options.alarms.in('again', REFUSED_AGAIN_MS);
      },
    });
  }

  /** Something changed outside. */
  poke(): void {
    this.#inFlight.release();
    this.goOn();
  }

  /** A place for work is free. */
  offer(): void {
    this.#inFlight.offer(true);
    this.goOn();
  }

  goOn(): void {
    this.#again = true;
    this.#turning ??= this.#turns().finally(() => {
      this.#turning = null;
      if (this.#again) this.goOn();
    });
  }

  /** Retries steps that wait for the provider or for money. */
  wake(): void {
    for (const step of this.#steps(this.#task())) {
      if (step.status === 'RUNNING' && step.wake_at !== null && isOutside(step)) this.#options.alarms.ring(step.id);
    }
    this.poke();
  }

  /** Records that the worker of a step died. */
  interrupted(step: TaskStepRow, error: string): void {
    const end = interruptedEnd(step, error, (why) => givenUp(this.#state, step, 'task', why));
    this.#gave({ end, message: null });
  }

  #gave(ended: Ended): void {
    this.#ends.push(ended);
    this.#again = true;
  }

  /** Resolves when no work is running and all ends are recorded. */
  async close(): Promise<void> {
    await this.#inFlight.settled();
    await this.#turning;
  }

  get #state() {
    return this.#options.ports.store.state;
  }

  #task(): TaskRow | undefined {
    const task = this.#state.tasks.get(this.#options.taskId);
    return task === undefined || isOver(task) || task.status === 'PENDING' ? undefined : task;
  }

  #steps(task: TaskRow | undefined): readonly TaskStepRow[] {
    return task === undefined ? [] : taskSteps(this.#state, task);
  }

  async #turns(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#turn();
        this.#refused = 0;
      } catch (thrown) {
        this.#afterFailure(thrown);
      }
      this.#inFlight.offer(false);
      this.#inFlight.leaveUnused();
      this.#options.semaphore.pass();
    }
  }

  /** Retries after a full disk; decides again after a rejection by the state; stops if the owner stops or is lost. */
  #afterFailure(thrown: unknown): void {
    const { ports, alarms, closing, taskId } = this.#options;
    const code = findFailure(thrown)?.code;
    if (code === 'OWNER_LOST' || code === 'ABORTED' || closing.aborted) return;
    if (code === 'ILLEGAL_TRANSITION' && this.#refused++ < MOST_REFUSED) {
      alarms.in('again', REFUSED_AGAIN_MS);
      return;
    }
    ports.problem(`the task ${taskId} cannot continue: ${messageOf(thrown)}`);
    alarms.in('again', DISK_AGAIN_MS);
  }

  async #turn(): Promise<void> {
    const { store } = this.#options.ports;
    const task = this.#task();
    if (task === undefined) return this.#stopped();
    for (let one = this.#first.shift(); one !== undefined; one = this.#first.shift()) await one();
    const answer = answerToPause(this.#state, task);
    if (answer !== null) await store.commit(answer);
    const isMoved = await this.#step();
    await this.#attendAll();
    if (isMoved) this.goOn();
    else await this.#settle();
  }

  /** Records ended steps and starts new ones, in one event. Returns false if there was nothing to do. */
  async #step(): Promise<boolean> {
    const { ports, alarms } = this.#options;
    const task = this.#task();
    if (task === undefined) return false;
    const steps = this.#steps(task);
    const ends = this.#takeEnds(steps);
    const rows = this.#after(steps, ends);
    const next = nextSteps(task, rows, ports.clock.now());
    if (next.wakeAt !== null) alarms.at('retry', next.wakeAt);
    const ended = new Set(ends.map(({ end }) => end.step_id));
    const mayBegin = ({ id }: TaskStepRow): boolean => this.#mayBegin() && !ended.has(id);
    const begins = next.start.filter((row) => mayBegin(row) && (!isOutside(row) || this.#inFlight.place(keyOf(row))));
    if (ends.length + next.skip.length + begins.length === 0) return false;
    try {
      const started: StepStart[] = [];
      for (const row of begins) started.push(await startOf(ports, { task, steps: rows }, row));
      await ports.store.commit({
        type: 'task_stepped',
        task_id: task.id,
        ended: ends.map(({ end }) => end),
        skipped: next.skip.map(({ id }) => id),
        started,
        message: ends.find(({ message }) => message !== null)?.message ?? null,
      });
    } catch (thrown) {
      this.#ends.unshift(...ends);
      for (const row of begins) this.#inFlight.leave(keyOf(row));
      throw thrown;
    }
    for (const { id } of begins) alarms.clear(id);
    return true;
  }

  /** The ends of steps that are still running, up to the second one with a message: an event has one message. */
  #takeEnds(steps: readonly TaskStepRow[]): readonly Ended[] {
    if (this.#ends.length === 0) return [];
    const running = new Set(steps.flatMap(({ id, status }) => (status === 'RUNNING' ? [id] : [])));
    const ends = this.#ends.filter(({ end }) => running.delete(end.step_id));
    const speaking = ends.filter(({ message }) => message !== null);
    const upTo = speaking[1] === undefined ? ends.length : ends.indexOf(speaking[1]);
    this.#ends = ends.slice(upTo);
    return ends.slice(0, upTo);
  }

  #after(steps: readonly TaskStepRow[], ends: readonly Ended[]): readonly TaskStepRow[] {
    const { ports, alarms } = this.#options;
    const retryDue = alarms.rungFor('retry');
    if (ends.length === 0 && retryDue === null) return steps;
    const at = isoTime(ports.clock);
    const ended = new Map(ends.map(({ end }) => [end.step_id, end]));
    return steps.map((row) => {
      const end = ended.get(row.id);
      if (end !== undefined) return endedStep(row, end, at);
      const isDue = row.status === 'PENDING' && row.wake_at !== null && retryDue !== null && row.wake_at <= retryDue;
      return isDue ? { ...row, wake_at: null } : row;
    });
  }

  #mayBegin(): boolean {
    const task = this.#task();
    const project = task === undefined ? undefined : this.#state.projects.get(task.project_id);
    const runs = project?.status === 'active' && project.parked === null;
    return task?.status === 'RUNNING' && runs && !this.#options.closing.aborted;
  }

  async #attendAll(): Promise<void> {
    const task = this.#task();
    if (task === undefined) return;
    const { ports, alarms } = this.#options;
    const steps = this.#steps(task);
    const mayBegin = (): boolean => this.#mayBegin();
    const run: StepRun = {
      ports,
      steps,
      get mayBegin() {
        return mayBegin();
      },
      isDue: (step, at, inMs) => alarms.isDue(step.id, at, inMs),
      gave: (ended) => this.#gave(ended),
      work: (step, carryOut) => this.#inFlight.begin(keyOf(step), carryOut, (result) => this.#took(step, result)),
    };
    for (const { id, status } of steps) {
      if (status !== 'RUNNING') continue;
      // Checked again for each step: another step's work may have ended while one was resumed.
      const step = this.#state.task_steps.get(id);
      if (step?.status !== 'RUNNING' || this.#inFlight.isBusy(keyOf(step))) continue;
      if (!this.#ends.some(({ end }) => end.step_id === id)) await resumeStep(run, task, step);
    }
  }

  async #settle(): Promise<void> {
    const task = this.#task();
    if (task === undefined) return;
    const { ports, alarms } = this.#options;
    const steps = this.#steps(task);
    const run = {
      ports,
      alarms,
      inFlight: this.#inFlight,
      mayBegin: this.#mayBegin(),
      isUnrecorded: this.#ends.length > 0,
      deaths: this.#deaths,
      first: (commit: () => Promise<unknown>) => void this.#first.push(commit),
    };
    await settle(run, task, steps, nextSteps(task, steps, ports.clock.now()));
  }

  async #took(step: TaskStepRow, result: StepResult): Promise<void> {
    const { ports, taskId } = this.#options;
    switch (result.outcome) {
      case 'completed': {
        const end = await this.#kept(step, result);
        return this.#gave({ end, message: null });
      }
      case 'failed':
        return this.#gave({ end: failedEnd(step, result, ports.clock.now()), message: null });
      case 'interrupted':
        return this.interrupted(step, result.error);
      case 'aborted':
        return this.#inFlight.hold(keyOf(step));
      default:
        this.#first.push(() => waitOrAskSteward(ports, taskId, step.id, result));
    }
  }

  /** A full disk is waited for: what was paid for is not thrown away. */
  async #kept(step: TaskStepRow, { result, session }: Extract<StepResult, { outcome: 'completed' }>) {
    const { ports, closing } = this.#options;
    for (;;) {
      try {
        return await completedEnd(ports.results, step, result, session);
      } catch (thrown) {
        if (findFailure(thrown)?.code !== 'DISK') {
          return failedEnd(step, { ...failedBy(thrown), result: refusedText(result), session }, ports.clock.now());
        }
        ports.problem(messageOf(thrown));
        await ports.clock.sleep(DISK_AGAIN_MS, closing);
      }
    }
  }

  /** The task has ended or was removed: aborts all its work. */
  #stopped(): void {
    this.#ends = [];
    this.#first.length = 0;
    this.#options.alarms.close();
    this.#inFlight.stop();
  }
}
