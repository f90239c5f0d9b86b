/** What must be true of every row before and after any event: an oracle of its own, of tables that are written by hand. */
import type { Event } from '../../../src/shared/workspace/events.ts';
import type { Change, State, TableName } from '../../../src/shared/workspace/state.ts';
import { cellsOf, MACHINES } from '../../support/state/machineTables.ts';

type Row = Readonly<Record<string, unknown>>;

const MACHINE_OF: Partial<Record<TableName, string>> = {
  jobs: 'job',
  phases: 'phase',
  features: 'feature',
  attempts: 'attempt',
  sessions: 'session',
  approvals: 'approval',
  spends: 'call',
  projects: 'project',
  tasks: 'task',
  task_steps: 'step',
};
/** What was taken over from elsewhere was never begun here. */
const IMPORTS: readonly string[] = ['imported', 'record_imported', 'state_restored'];
/** One line of the log may end a step and begin it again, or make a feature pending and something of it at once. */
const MOST_MOVES = 2;

const STARTS = new Map(Object.entries(MACHINES).map(([name, { start }]) => [name, start]));
const REACHED = new Map(
  Object.entries(MACHINES).map(([name, { cells }]) => [
    name,
    new Map(Object.keys(cells).map((from) => [from, reach(cells, from)])),
  ]),
);

function reach(cells: Readonly<Record<string, string>>, from: string): ReadonlySet<string> {
  let reached = new Set([from]);
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    const next = [...reached].flatMap((status) => [...cellsOf(cells[status] ?? '').values()]);
    reached = new Set([...reached, ...next.flatMap((to) => (to === 'work' ? ['planning', 'running'] : [to]))]);
  }
  return reached;
}

function must(holds: boolean, rule: string, event: Event, row: unknown): void {
  if (!holds) throw new Error(`${rule}: after ${event.type} ${JSON.stringify(row).slice(0, 600)}`);
}

/** Throws an Error that names the law. `before` is the state that the event found. */
export function checkLaws(before: State, event: Event, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.table === 'meta' || !('put' in change)) continue;
    const now = change.put as unknown as Row;
    const then = (before[change.table] as ReadonlyMap<unknown, unknown>).get(change.put.id) as Row | undefined;
    moved(change.table, event, then, now);
    counted(change.table, before, event, then, now);
  }
}

function moved(table: TableName, event: Event, then: Row | undefined, now: Row): void {
  const machine = MACHINE_OF[table];
  if (machine === undefined || IMPORTS.includes(event.type)) return;
  const status = String(now['status']);
  must(REACHED.get(machine)?.has(status) === true, `no ${machine} is ${status}`, event, now);
  if (then === undefined) {
    // A question that a rule answers is asked and answered by one event.
    const isAnswered = event.type === 'rule_used' && status === 'approved';
    must(isAnswered || status === STARTS.get(machine), `a ${machine} begins as ${status}`, event, now);
    return;
  }
  const legal = REACHED.get(machine)?.get(String(then['status']))?.has(status) === true;
  must(legal, `a ${machine} that was ${String(then['status'])} is ${status}`, event, now);
}

/** Fields that may be below zero: places, and numbers that others gave. */
const ANY_NUMBER: readonly string[] = ['position', 'line'];
/** What only rises; a phase and a step begin to count anew when they go again. */
const RISES: readonly string[] = ['interruptions', 'turns', 'paused_ms', 'plan_version'];

function counted(table: TableName, before: State, event: Event, then: Row | undefined, now: Row): void {
  for (const [name, value] of Object.entries(now)) {
    if (typeof value !== 'number') continue;
    must(
      Number.isFinite(value) && (value >= 0 || ANY_NUMBER.includes(name)),
      `${table}.${name} is ${value}`,
      event,
      now,
    );
    const was = then?.[name];
    if (typeof was === 'number' && RISES.includes(name)) must(value >= was, `${table}.${name} fell`, event, now);
  }
  if (then === undefined || IMPORTS.includes(event.type)) return;
  if (table === 'features') retries(before, event, then, now);
}

/** Who may use one, and how many there are: a crash, a pause, a wait and a question use none. */
const SPENDS_A_RETRY: readonly string[] = ['attempt_ended', 'feature_retried', 'candidate_picked'];

function retries(before: State, event: Event, then: Row, now: Row): void {
  const used = Number(now['retry_count']) - Number(then['retry_count']);
  must(used <= (SPENDS_A_RETRY.includes(event.type) ? 1 : 0), `${event.type} used ${used} retries`, event, now);
  const most = before.jobs.get(String(now['job_id']))?.options.maxRetries ?? 3;
  must(used <= 0 || Number(now['retry_count']) <= most, `more than ${most} retries`, event, now);
}
