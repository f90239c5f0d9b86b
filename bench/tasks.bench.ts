/**
 * What the runner of tasks costs: 1,000 durable steps of no work, and 1,000 tasks that only wait. The store is the real one, on the
 * disk, with its database.
 */
import { systemClock } from '../src/adapters/clock.ts';
import { plainDefinition } from '../src/core/project/reduceProjects.ts';
import { isOver } from '../src/core/state/rows.ts';
import type { Store } from '../src/engine/state/store.ts';
import { taskRequests } from '../src/engine/task/ask/requests.ts';
import { Runner } from '../src/engine/task/runner.ts';
import { type StepInput, type TaskInput, taskSchema } from '../src/shared/task/tasks.ts';
import { open, type StateFolder, stateFolder } from '../test/support/state/stateFolder.ts';
import { taskPorts } from '../test/support/world/taskPorts.ts';
import { median, round, show } from './table.ts';

const STEPS = 1_000;
const TASKS = 1_000;
const TARGET_MS = 2;
const LATE_MS = 1_000;
/** Nothing of it is measurable work. */
const IDLE_PERCENT = 0.5;
const WATCHED_MS = 10_000;

const clock = systemClock();
const never = async (): Promise<never> => {
  throw new Error('nothing of this leaves the owner');
};

function lead(store: Store): Runner {
  return new Runner({
    store,
    clock,
    worker: { carryOut: never },
    actions: null,
    results: { put: never, get: never },
    briefs: { newId: () => '', file: never, goOn: () => undefined, cancel: never },
    models: { task: '', summarizer: '' },
    problem: (text) => console.log(text),
  });
}

async function openStore(folder: StateFolder): Promise<Store> {
  const store = await open(folder, { database: true });
  await store.commit({
    type: 'project_created',
    project: { id: 'bench', model: null, workdir: null, definition: plainDefinition() },
  });
  return store;
}

async function begin(store: Store, definition: TaskInput): Promise<string> {
  const input = { project: 'bench', start: true, by: 'steward' } as const;
  const requests = taskRequests(taskPorts(store));
  const { taskId } = await requests.createTask({ ...input, definition: taskSchema.parse(definition) });
  return taskId;
}

function over(store: Store, isDone: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (!isDone()) return;
      stop();
      resolve();
    });
  });
}

const KINDS: Readonly<Record<string, (at: number) => StepInput>> = {
  aggregate: (at) => ({ name: `S${at}`, action: 'aggregate', params: { keys: [at === 0 ? 'S0' : `S${at - 1}`] } }),
  conditional: (at) => ({ name: `S${at}`, action: 'conditional', params: { condition: `${at} > 1` } }),
  notify: (at) => ({ name: `S${at}`, action: 'notify', params: { title: `Step ${at}` } }),
};

async function overhead(kind: string): Promise<readonly (string | number)[]> {
  using folder = stateFolder();
  const store = await openStore(folder);
  const runner = lead(store);
  const step = KINDS[kind];
  if (step === undefined) throw new Error(kind);
  const first: StepInput = { name: 'First', action: 'notify', params: { title: 'First' } };
  const rest = Array.from({ length: STEPS - 1 }, (_, at) => step(at));
  if (kind === 'aggregate') rest[0] = { name: 'S0', action: 'aggregate', params: { keys: ['First'] } };
  const before = process.cpuUsage();
  const start = performance.now();
  const id = await begin(store, { name: kind, completionBehavior: 'SILENT', steps: [first, ...rest] });
  const task = () => store.state.tasks.get(id);
  await over(store, () => task() === undefined || isOver(task() as never));
  const each = (performance.now() - start) / STEPS;
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1_000 / STEPS;
  const status = task()?.status ?? 'gone';
  await runner.close();
  await store.close();
  return [
    kind,
    STEPS,
    status,
    round(cpu, 2),
    round(each, 2),
    TARGET_MS,
    each <= TARGET_MS && status === 'COMPLETED' ? 'met' : 'MISSED',
  ];
}

/** Their ends lie within one second, after the watching. */
async function waiting(): Promise<void> {
  using folder = stateFolder();
  const store = await openStore(folder);
  const runner = lead(store);
  const until = Date.now() + 60_000;
  for (let at = 0; at < TASKS; at++) {
    const time = new Date(until + at).toISOString();
    const steps = [{ name: 'Wait', action: 'wait', params: { until: time } }];
    await begin(store, { name: `Task ${at}`, completionBehavior: 'SILENT', steps });
  }
  // The database is written, and all is at rest.
  await clock.sleep(5_000);
  const before = process.cpuUsage();
  await clock.sleep(WATCHED_MS);
  const { user, system } = process.cpuUsage(before);
  const late: number[] = [];
  const done = new Promise<void>((resolve) => {
    const stop = store.subscribe((event) => {
      if (event.type !== 'task_stepped') return;
      for (const { step_id } of event.ended) {
        const time = store.state.task_steps.get(step_id)?.params['until'];
        late.push(Date.now() - Date.parse(String(time)));
      }
      if (late.length < TASKS) return;
      stop();
      resolve();
    });
  });
  await done;
  await runner.close();
  await store.close();
  const cpu = (user + system) / 1_000 / (WATCHED_MS / 100);
  const worst = Math.max(...late);
  const isMet = worst <= LATE_MS && cpu <= IDLE_PERCENT;
  show(
    `${TASKS} tasks that wait at once`,
    ['tasks', 'CPU %', 'target %', 'late p50 ms', 'late max ms', 'target ms', ''],
    [
      [
        TASKS,
        round(cpu, 2),
        IDLE_PERCENT,
        Math.round(median(late)),
        Math.round(worst),
        LATE_MS,
        isMet ? 'met' : 'MISSED',
      ],
    ],
  );
}

const rows: (readonly (string | number)[])[] = [];
for (const kind of Object.keys(KINDS)) rows.push(await overhead(kind));
show(
  'Steps of no work, each durable before the next begins (ms a step)',
  ['step', 'steps', 'task', 'CPU', 'each', 'target', ''],
  rows,
);
await waiting();
