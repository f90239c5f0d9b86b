/** A window that goes away in the middle of a run loses nothing and pays nothing twice. */
import assert from 'node:assert/strict';
import type { JobRow } from '../../src/shared/job/rows.ts';
import type { State } from '../../src/shared/workspace/state.ts';
import { approveIn, pendingOf, stateOf, whenState } from './state.ts';
import { newProject, type Place } from './world.ts';

const lastJob = ({ jobs }: State): JobRow | undefined => [...jobs.values()].at(-1);

const featuresOf = (state: State) => [...state.features.values()].filter(({ job_id }) => job_id === lastJob(state)?.id);

const completed = (state: State): number => featuresOf(state).filter(({ status }) => status === 'completed').length;

const questionsOf = (state: State) => pendingOf(state).filter(({ job_id }) => job_id === lastJob(state)?.id);

/** What a person sees of the last job, without ids and times. */
function outcome(state: State): object {
  const job = lastJob(state);
  const ofIt = ({ job_id }: { readonly job_id: string | null }): boolean => job_id === job?.id;
  return {
    job: job?.status,
    features: featuresOf(state).map(({ name, status, retry_count }) => [name, status, retry_count]),
    attempts: [...state.attempts.values()].filter(ofIt).map(({ number, status, cause }) => [number, status, cause]),
    // The plan was edited before it was approved: the first question about it is void.
    approvals: [...state.approvals.values()]
      .filter((row) => ofIt(row) && row.status !== 'void')
      .map(({ kind, status }) => [kind, status]),
  };
}

/** Calls of the last job by what came of them. */
function ledger(state: State): { readonly settled: number; readonly unsettled: number; readonly all: number } {
  const spends = [...state.spends.values()].filter(({ job_id }) => job_id === lastJob(state)?.id);
  const count = (status: string): number => spends.filter((row) => row.status === status).length;
  return { settled: count('settled'), unsettled: count('unsettled'), all: spends.length };
}

/** Answers every question of the last job, until its state is so. */
async function answersUntil(place: Place, what: string, holds: (state: State) => boolean): Promise<State> {
  for (;;) {
    const state = await whenState(place, what, (now) => holds(now) || questionsOf(now).length > 0);
    if (holds(state)) return state;
    for (const { id, kind } of questionsOf(state))
      await approveIn(place.window, place, id, kind === 'merge' ? 'merge' : null);
  }
}

/** The same order, carried out in a terminal without a disturbance. */
async function undisturbed({ world }: Place, { brief, options }: JobRow): Promise<State> {
  const place = await newProject(world, 'plain');
  const gates = ['--gates', options.gates.join(',')];
  const { code, printed } = await place.terminal.autonomous('run', brief, '--provider', 'simulated', ...gates, '--yes');
  assert.equal(code, 0, printed);
  return stateOf(place);
}

/** The window goes away twice. Returns the state when the job is over. */
async function disturbed(place: Place): Promise<State> {
  const { window } = place;
  const { epoch } = (await answersUntil(place, 'a completed feature', (state) => completed(state) > 0)).meta;
  await window.reload();
  await answersUntil(place, 'another completed feature', (state) => completed(state) > 1 && state.meta.epoch > epoch);
  await window.crash();
  const after = await answersUntil(place, 'the end of the job', (state) => lastJob(state)?.status === 'completed');
  assert.equal(after.meta.epoch, epoch + 2, 'each time another extension host went on');
  return after;
}

/** Of a job whose plan has just been approved, and that has the window as its owner. */
export async function windowGoesAway(place: Place): Promise<void> {
  const job = lastJob(await stateOf(place));
  assert.ok(job);
  // Side by side: the one in the window waits for its slow model most of the time.
  const [after, plain] = await Promise.all([disturbed(place), undisturbed(place, job)]);
  assert.deepEqual(outcome(after), outcome(plain));
  assert.equal(ledger(plain).settled, ledger(plain).all);
  const { settled, unsettled, all } = ledger(after);
  assert.ok(settled <= ledger(plain).settled, 'no answered call was paid twice');
  // An answer that was kept when the process died before its booking is listed as unsettled.
  assert.ok(settled + unsettled >= ledger(plain).settled, 'every call is in the ledger');
  assert.equal(all, settled + unsettled, 'every call is booked');
  assert.ok(unsettled <= 2, 'at most the call in flight each time is listed as unsettled');
}
