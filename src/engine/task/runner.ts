/** Runs all tasks of a workspace, in its owner: each from the state alone, so that the next owner can continue them. */
import { isOver, taskSteps } from '../../core/state/rows.ts';
import { findFailure, messageOf } from '../../shared/errors.ts';
import type { TaskRow } from '../../shared/task/tasks.ts';
import type { Event } from '../../shared/workspace/events.ts';
import type { Change } from '../../shared/workspace/state.ts';
import { Alarms } from '../state/alarms.ts';
import { isJobOver } from './lead/briefSteps.ts';
import { TaskRun } from './lead/run.ts';
import { isCustom } from './lead/stepAssignments.ts';
import { resumeRegistered } from './lead/stepBackoff.ts';
import type { RunnerPorts } from './ports.ts';
import { ScheduleRun } from './schedules.ts';
import { StepSemaphore } from './stepSemaphore.ts';
import { TaskAlarms, taskOfAlarm } from './taskAlarms.ts';

/** Maximum number of steps with work in progress in a workspace. A step that waits for a time or a person does not count. */
const MOST_AT_ONCE = 8;
/** Time limit of an abort, within the time that VS Code allows. */
const CLOSE_MS = 2_000;

interface Led {
  readonly run: TaskRun;
  readonly alarms: TaskAlarms;
}

export class Runner {
  readonly #ports: RunnerPorts;
  readonly #led = new Map<string, Led>();
  readonly #alarms: Alarms;
  readonly #semaphore = new StepSemaphore(MOST_AT_ONCE, (taskId) => this.#offer(taskId));
  readonly #closing = new AbortController();
  readonly #schedules: ScheduleRun;
  readonly #stops: (() => void)[];

  /** Resumes all unfinished tasks. */
  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    const { store, clock, actions } = ports;
    this.#alarms = new Alarms(clock, (name) => {
      const led = this.#led.get(taskOfAlarm(name));
      led?.alarms.heard(name);
      // Also retries steps that could not be resumed.
      led?.run.poke();
    });
    this.#schedules = new ScheduleRun(ports);
    this.#stops = [store.subscribe((event, changes) => this.#heard(event, changes))];
    if (actions !== null) this.#stops.push(actions.changed(() => this.#registered()));
    for (const task of store.state.tasks.values()) {
      if (isOver(task)) this.#cancelJobs(task);
      else if (task.status !== 'PENDING') this.#takeUp(task);
    }
    this.#registered();
  }

  /** Aborts in-flight steps and records those that finished in time. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const stop of this.#stops) stop();
    const runs = Promise.all(Array.from(this.#led.values(), ({ run }) => run.close()));
    const patience = new AbortController();
    await Promise.race([runs, this.#ports.clock.sleep(CLOSE_MS, patience.signal).catch(() => undefined)]);
    patience.abort();
    this.#alarms.close();
    await this.#schedules.close();
  }

  #offer(taskId: string): void {
    const led = this.#led.get(taskId);
    // The task has ended meanwhile: the next task gets the slot.
    if (led === undefined) this.#semaphore.pass();
    else led.run.offer();
  }

  #leadOf(taskId: string): Led {
    const known = this.#led.get(taskId);
    if (known !== undefined) return known;
    const alarms = new TaskAlarms(taskId, this.#alarms, this.#ports.clock);
    const options = { taskId, ports: this.#ports, alarms, semaphore: this.#semaphore, closing: this.#closing.signal };
    const led = { alarms, run: new TaskRun(options) };
    this.#led.set(taskId, led);
    return led;
  }

  /** As another owner left it. An action of another extension ran in that process, and may be what ended it. */
  #takeUp(task: TaskRow): void {
    const { run } = this.#leadOf(task.id);
    for (const step of taskSteps(this.#ports.store.state, task)) {
      if (step.status !== 'RUNNING') continue;
      if (isCustom(step.action)) run.interrupted(step, 'the process that ran it ended');
      if (step.job_id !== null) this.#goOnWith(step.job_id);
    }
    run.poke();
  }

  #heard(event: Event, changes: readonly Change[]): void {
    if (event.type === 'task_stepped') return;
    // The action may have been registered just before the task was paused.
    if (event.type === 'task_paused') this.#registered();
    if (event.type === 'limits_set' || event.type === 'project_defined') {
      for (const { run } of this.#led.values()) run.wake();
      return;
    }
    // A resume by the user means an immediate retry.
    if (event.type === 'task_resumed') this.#led.get(event.task_id)?.run.wake();
    if (event.type === 'tried_now' && event.of === 'task') this.#led.get(event.id)?.run.wake();
    for (const taskId of new Set(changes.flatMap((change) => this.#concerned(change)))) {
      const task = this.#ports.store.state.tasks.get(taskId);
      if (task !== undefined && task.status !== 'PENDING' && !isOver(task)) this.#leadOf(taskId).run.poke();
      else this.#ended(taskId, task);
    }
  }

  #ended(taskId: string, task: TaskRow | undefined): void {
    if (task !== undefined && isOver(task)) this.#cancelJobs(task);
    const run = this.#led.get(taskId)?.run;
    run?.poke();
    void run?.close().then(() => {
      const now = this.#ports.store.state.tasks.get(taskId);
      if (now === undefined || isOver(now)) this.#led.delete(taskId);
    });
  }

  /** The tasks that may continue after a change. */
  #concerned(change: Change): readonly string[] {
    if (!('put' in change)) return change.table === 'tasks' ? [change.drop] : [];
    switch (change.table) {
      case 'tasks':
        return [change.put.id];
      case 'approvals':
        return change.put.task_id === null ? [] : [change.put.task_id];
      case 'jobs':
        return isJobOver(change.put) ? this.#waitingFor(change.put.id) : [];
      case 'projects':
        return this.#ofProject(change.put.id);
      default:
        return [];
    }
  }

  #waitingFor(jobId: string): readonly string[] {
    const { state } = this.#ports.store;
    return [...this.#led.keys()].filter((taskId) => {
      const task = state.tasks.get(taskId);
      return task !== undefined && taskSteps(state, task).some((step) => step.job_id === jobId);
    });
  }

  #ofProject(projectId: string): readonly string[] {
    const { state } = this.#ports.store;
    return [...this.#led.keys()].filter((taskId) => state.tasks.get(taskId)?.project_id === projectId);
  }

  /** Starts the job here, because possibly no other process does: a job starts in the process that files or resumes it. */
  #goOnWith(jobId: string): void {
    const { store, briefs, problem } = this.#ports;
    const job = store.state.jobs.get(jobId);
    if (job === undefined || isJobOver(job) || job.status === 'paused') return;
    try {
      briefs.goOn(jobId);
    } catch (thrown) {
      problem(`the job ${jobId} cannot continue: ${messageOf(thrown)}`);
    }
  }

  /** A job is started with its step, whenever the kill happened. */
  #cancelJobs(task: TaskRow): void {
    const { store, briefs, problem } = this.#ports;
    for (const { status, job_id, name } of taskSteps(store.state, task)) {
      const job = job_id === null ? undefined : store.state.jobs.get(job_id);
      if (status !== 'CANCELLED' || job === undefined || isJobOver(job)) continue;
      const reason = `the task ${task.name} ended before its step ${name}`;
      briefs.cancel(job.id, reason).catch((thrown: unknown) => {
        if (!this.#isQuiet(thrown)) problem(`the job ${job.id} cannot be cancelled: ${messageOf(thrown)}`);
      });
    }
  }

  #registered(): void {
    const { store, actions, problem } = this.#ports;
    for (const draft of actions === null ? [] : resumeRegistered(store.state, actions.names())) {
      store.commit(draft).catch((thrown: unknown) => {
        if (!this.#isQuiet(thrown)) problem(messageOf(thrown));
      });
    }
  }

  /** Ignore: another writer won the race, or the owner is shutting down. */
  #isQuiet(thrown: unknown): boolean {
    const code = findFailure(thrown)?.code;
    return (
      this.#closing.signal.aborted || code === 'ILLEGAL_TRANSITION' || code === 'NOT_PERMITTED' || code === 'ABORTED'
    );
  }
}
