/** From a commit on a real disk to WebSocket clients in another thread, beside requests for a list of a thousand tasks. */
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { open, stateFolder } from '../test/support/state/stateFolder.ts';
import { apiWorld, TASKS, TOKEN } from '../test/support/world/apiWorld.ts';
import { round, show } from './table.ts';

const CLIENTS = 50;
const EVENTS = 400;
/** Between two events: 200 a second are more than tasks make. */
const PAUSE_MS = 5;
const TASKS_LISTED = 1_000;
const TARGET_MS = 20;

using folder = stateFolder();
const store = await open(folder, { database: true });
await using world = await apiWorld({ store, limits: { requestsPerSecond: 10_000 } });

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

async function tell(task_id: string): Promise<void> {
  const [id = 0] = store.nextIds('messages', 1);
  const of = { id, project_id: 'default', direction: 'out', sender: 'task', level: 'info', task_id } as const;
  const message = { ...of, text: 'further', concerns: null, relayed_from: null, session_id: null };
  await store.commit({ type: 'task_progressed', task_id, message });
}

const committed = new Map<number, number>();
store.subscribe(({ seq }) => committed.set(seq, performance.timeOrigin + performance.now()));

async function heardBy(clients: number, beside: () => Promise<unknown>): Promise<readonly number[]> {
  const workerData = { address: world.api.events, token: TOKEN, clients, events: EVENTS };
  const worker = new Worker(new URL('./apiClients.ts', import.meta.url), { workerData });
  const next = (): Promise<unknown> => new Promise((resolve) => worker.once('message', resolve));
  await next();
  const told = next();
  for (let n = 0; n < EVENTS; n++) {
    await tell(taskId);
    await beside();
    await wait(PAUSE_MS);
  }
  const arrivals = (await told) as readonly (readonly [seq: number, at: number])[];
  await worker.terminate();
  return arrivals.map(([seq, at]) => at - (committed.get(seq) ?? Number.NaN));
}

const { json } = await world.ask('POST', TASKS, { body: { name: 'told', steps: [{ name: 's', action: 'wait' }] } });
const taskId: string = json.id;
await world.ask('POST', `${TASKS}/${taskId}/start`);
const alone = await heardBy(1, async () => undefined);
const crowd = await heardBy(CLIENTS, async () => undefined);
for (let n = 0; n < TASKS_LISTED; n += 50) {
  await Promise.all(Array.from({ length: 50 }, () => world.ask('POST', TASKS, { body: { name: 'listed' } })));
}
const listing: number[] = [];
const busy = await heardBy(CLIENTS, async () => {
  const start = performance.now();
  await world.ask('GET', `${TASKS}?limit=50`);
  listing.push(performance.now() - start);
});

const row = (what: string, values: readonly number[], target: boolean): (string | number)[] => {
  const p95 = percentile(values, 0.95);
  const verdict = p95 <= TARGET_MS ? 'met' : 'MISSED';
  return [
    what,
    round(percentile(values, 0.5), 2),
    round(p95, 2),
    target ? `<= ${TARGET_MS}` : '',
    target ? verdict : '',
  ];
};
show(
  `Milliseconds from a commit to a WebSocket client, ${EVENTS} events`,
  ['what', 'median', 'p95', 'target', ''],
  [
    row('1 client', alone, false),
    row(`${CLIENTS} clients`, crowd, true),
    row(`${CLIENTS} clients, and a request after each event`, busy, true),
    row(`the request: a page of 50 of ${TASKS_LISTED} tasks`, listing, false),
  ],
);
