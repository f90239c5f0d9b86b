/** A workspace's state as it is on the disk, and what may be waited for in it. */
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import { lookAtState } from '../../../src/compose/storage.ts';
import type { ApprovalRow } from '../../../src/shared/approvals.ts';
import type { JobRow } from '../../../src/shared/domain.ts';
import type { State } from '../../../src/shared/state.ts';
import { until, type World } from './world.ts';

const clock = systemClock();

export async function stateOf({ env, extension }: World, project: string): Promise<State> {
  const { HOME = '', XDG_RUNTIME_DIR = '' } = env;
  const places = {
    projectDir: project,
    stateDir: join(project, '.autonomous'),
    jobsDir: join(HOME, 'jobs'),
    configDir: join(HOME, '.config', 'autonomous'),
    runtimeDir: join(XDG_RUNTIME_DIR, 'autonomous'),
  };
  const store = await lookAtState({ places, clock, wasmFile: join(extension, 'dist', 'sql-wasm.wasm') });
  await store.close();
  return store.state;
}

/** Waits until the state is so. */
export async function whenState(
  world: World,
  project: string,
  what: string,
  holds: (state: State) => boolean,
): Promise<State> {
  let seen: State | null = null;
  return until(
    () => `${what}; ${seen === null ? 'no state was read' : told(seen)}`,
    async () => {
      seen = await stateOf(world, project);
      return holds(seen) ? seen : null;
    },
  );
}

/** What a person would ask first of a job that does not get on. */
function told({ jobs, features, approvals, meta }: State): string {
  const listed = (rows: readonly string[]): string => (rows.length === 0 ? 'none' : rows.join(', '));
  const because = (reason: string | null): string => (reason === null ? '' : ` (${reason})`);
  const pending = [...approvals.values()].filter(({ status }) => status === 'pending');
  return [
    `jobs: ${listed([...jobs.values()].map(({ status, reason }) => `${status}${because(reason)}`))}`,
    `merging: ${listed([...jobs.values()].filter(({ merging }) => merging).map(({ title }) => title))}`,
    `features: ${listed([...features.values()].map(({ name, status }) => `${name} ${status}`))}`,
    `waits for: ${listed(pending.map(({ id, kind, subject }) => `${kind} ${id} on ${subject}`))}`,
    `epoch ${meta.epoch}, event ${meta.last_seq}`,
  ].join('; ');
}

export const onlyJob = (state: State): JobRow | undefined => [...state.jobs.values()][0];

function waiting(state: State, kind: string): ApprovalRow | undefined {
  return [...state.approvals.values()].find((row) => row.kind === kind && row.status === 'pending');
}

export async function whenAsked(world: World, project: string, kind: string): Promise<ApprovalRow> {
  const state = await whenState(world, project, `a question about: ${kind}`, (now) => waiting(now, kind) !== undefined);
  const asked = waiting(state, kind);
  if (asked === undefined) throw new Error('asked no more');
  return asked;
}

export const whenOver = (world: World, project: string): Promise<State> =>
  whenState(world, project, 'the end of the job', (state) =>
    ['completed', 'failed', 'cancelled'].includes(onlyJob(state)?.status ?? ''),
  );

/** Answers by command as a person does who sees the question: the disk has it a moment before the window. */
export async function approveIn(
  window: { command(id: string, ...args: readonly unknown[]): Promise<unknown> },
  world: World,
  project: string,
  id: number,
  choice: string | null,
): Promise<void> {
  await until(`the answer to question ${id}`, async () => {
    await window.command('autonomous.approve', id, { choice });
    return (await stateOf(world, project)).approvals.get(id)?.status !== 'pending';
  });
}
