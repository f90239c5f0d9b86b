/** Makes the tasks of schedules when they are due: one for all times that were missed, and none while the former one still runs. */
import { isOver, scheduleTasks } from '../../core/state/rows.ts';
import { dueAt, nextAt } from '../../core/task/schedule.ts';
import { newSteps, newTask } from '../../core/task/script/newTask.ts';
import { findFailure, messageOf } from '../../shared/errors.ts';
import type { ScheduleRow, TaskRow } from '../../shared/task/tasks.ts';
import { Alarms } from '../state/alarms.ts';
import { newTaskId } from './ids.ts';
import type { RunnerPorts } from './ports.ts';

type Ports = Pick<RunnerPorts, 'store' | 'clock' | 'problem'>;

export class ScheduleRun {
  readonly #ports: Ports;
  readonly #alarms: Alarms;
  readonly #unsubscribe: () => void;
  /** Due times at which a task was still running: reported once. */
  readonly #skipped = new Map<number, string>();
  #closed = false;
  #last: Promise<void> = Promise.resolve();

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#alarms = new Alarms(ports.clock, (name) => this.#look(Number(name)));
    this.#unsubscribe = ports.store.subscribe((_event, changes) => {
      for (const change of changes) {
        if (change.table === 'schedules') this.#look('put' in change ? change.put.id : change.drop);
        if (change.table === 'tasks' && 'put' in change) this.#follow(change.put);
        if (change.table === 'projects' && 'put' in change) this.#lookAll(change.put.id);
      }
    });
    this.#lookAll(null);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#alarms.close();
    await this.#last;
  }

  /** Starts a task that was made by an earlier owner as well; an ended task lets the next one start. */
  #follow(task: TaskRow): void {
    if (task.schedule_id !== null && (task.status === 'PENDING' || isOver(task))) this.#look(task.schedule_id);
  }

  #lookAll(projectId: string | null): void {
    for (const { id, project_id } of this.#ports.store.state.schedules.values()) {
      if (projectId === null || projectId === project_id) this.#look(id);
    }
  }

  /** Requests run one after the other, so that two of them do not make two tasks. */
  #look(id: number): void {
    this.#last = this.#last.then(async () => {
      if (this.#closed) return;
      try {
        await this.#settle(id);
      } catch (thrown) {
        const code = findFailure(thrown)?.code;
        if (code === 'ILLEGAL_TRANSITION' || code === 'ABORTED' || code === 'OWNER_LOST') return;
        this.#ports.problem(`the schedule ${id} cannot continue: ${messageOf(thrown)}`);
        this.#alarms.set(String(id), { inMs: 60_000 });
      }
    });
  }

  async #settle(id: number): Promise<void> {
    const { store, clock } = this.#ports;
    const schedule = store.state.schedules.get(id);
    const project = schedule === undefined ? undefined : store.state.projects.get(schedule.project_id);
    if (schedule === undefined || !schedule.enabled || project?.status !== 'active') {
      this.#alarms.clear(String(id));
      return;
    }
    const tasks = scheduleTasks(store.state, id);
    const made = tasks.find(({ status }) => status === 'PENDING');
    if (made !== undefined) await store.commit({ type: 'task_started', task_id: made.id, by: 'schedule' });
    const due = dueAt(sinceItsLast(schedule, tasks), clock.now());
    const running = tasks.find((task) => !isOver(task));
    if (due !== null && running === undefined) return this.#make(schedule, due);
    if (due !== null && running !== undefined) await this.#skip(schedule, due, running);
    const next = nextAt(schedule, clock.now());
    if (next !== null) this.#alarms.set(String(id), { at: Date.parse(next) });
  }

  async #make({ id, project_id, definition }: ScheduleRow, due_at: string): Promise<void> {
    const { store } = this.#ports;
    const made = { id: newTaskId(), project_id, template: null, created_by: 'schedule' } as const;
    const steps = newSteps(definition.steps, store.nextIds('task_steps', definition.steps.length));
    await store.commit({ type: 'task_created', task: newTask(definition, made), steps, schedule: { id, due_at } });
  }

  async #skip({ id, name }: ScheduleRow, due: string, running: TaskRow): Promise<void> {
    if (this.#skipped.get(id) === due) return;
    this.#skipped.set(id, due);
    const text = `the next one of "${name}", due at ${due}, is left out: this one still runs`;
    await this.#ports.store.commit({ type: 'task_noted', task_id: running.id, step_id: null, level: 'warning', text });
  }
}

/** Due times while the last task was running are skipped, even if there was no owner then. */
function sinceItsLast(schedule: ScheduleRow, tasks: readonly TaskRow[]): ScheduleRow {
  const ended = tasks.at(-1)?.ended_at ?? null;
  return ended !== null && ended > (schedule.last_due ?? '') ? { ...schedule, last_due: ended } : schedule;
}
