/** A workspace's state as it is on the disk, and what may be waited for in it. */
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/adapters/clock.ts';
import { lookAtState } from '../../src/app/open/store.ts';
import type { ApprovalRow } from '../../src/shared/approval.ts';
import type { JobRow } from '../../src/shared/job/rows.ts';
import type { State } from '../../src/shared/workspace/state.ts';
import { until } from './patience.ts';
import type { EditorWindow } from './window.ts';
import type { Workplace } from './world.ts';

const clock = systemClock();

export type Owned = Pick<Workplace, 'project' | 'vsCode' | 'world'>;

export async function stateOf({ project, vsCode, world }: Owned): Promise<State> {
  const places = {
    projectDir: project,
    stateDir: join(project, '.autonomous'),
    jobsDir: join(vsCode.home, 'jobs'),
    configDir: join(vsCode.home, '.config', 'autonomous'),
    runtimeDir: join(vsCode.home, 'autonomous'),
  };
  const wasmFile = join(dirname(world.program), 'sql-wasm.wasm');
  const store = await lookAtState({ places, clock, wasmFile });
  await store.close();
  return store.state;
}

/** Waits until the state is so. */
export async function whenState(owned: Owned, what: string, holds: (state: State) => boolean): Promise<State> {
  let seen: State | null = null;
  return until(
    () => `${what}; ${seen === null ? 'no state was read' : told(seen)}`,
    async () => {
      seen = await stateOf(owned);
      return holds(seen) ? seen : null;
    },
  );
}

export const pendingOf = ({ approvals }: State): readonly ApprovalRow[] =>
  [...approvals.values()].filter(({ status }) => status === 'pending');

/** What a person would ask first of a job that does not get on. */
function told(state: State): string {
  const { jobs, features, meta } = state;
  const listed = (rows: readonly string[]): string => (rows.length === 0 ? 'none' : rows.join(', '));
  const because = (reason: string | null): string => (reason === null ? '' : ` (${reason})`);
  return [
    `jobs: ${listed([...jobs.values()].map(({ status, reason }) => `${status}${because(reason)}`))}`,
    `merging: ${listed([...jobs.values()].filter(({ merging }) => merging).map(({ title }) => title))}`,
    `features: ${listed([...features.values()].map(({ name, status }) => `${name} ${status}`))}`,
    `waits for: ${listed(pendingOf(state).map(({ id, kind, subject }) => `${kind} ${id} on ${subject}`))}`,
    `epoch ${meta.epoch}, event ${meta.last_seq}`,
  ].join('; ');
}

export const onlyJob = (state: State): JobRow | undefined => [...state.jobs.values()][0];

function waiting(state: State, kind: string): ApprovalRow | undefined {
  return pendingOf(state).find((row) => row.kind === kind);
}

export async function whenAsked(owned: Owned, kind: string): Promise<ApprovalRow> {
  const state = await whenState(owned, `a question about: ${kind}`, (now) => waiting(now, kind) !== undefined);
  const asked = waiting(state, kind);
  if (asked === undefined) throw new Error('asked no more');
  return asked;
}

/** Waits for the end of the only job. */
export const whenOver = (owned: Owned): Promise<State> =>
  whenState(owned, 'the end of the job', (state) =>
    ['completed', 'failed', 'cancelled'].includes(onlyJob(state)?.status ?? ''),
  );

/** Answers by command as a person does who sees the question: the disk has it a moment before the window. */
export async function approveIn(
  { door }: EditorWindow,
  owned: Owned,
  id: number,
  choice: string | null,
): Promise<void> {
  await until(`the answer to question ${id}`, async () => {
    await door.command('autonomous.approve', id, { choice });
    return (await stateOf(owned)).approvals.get(id)?.status !== 'pending';
  });
}
