/** Actions of the steward on a job: select, pause, resume, cancel, retry, roll back, choose the merge, show its diff. */

import { jobWaiting } from '../../core/job/view/waiting.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { jobFeatures, mergeGate, need } from '../../core/state/rows.ts';
import type { OpenedEngine } from '../../engine/workspace/workspace.ts';
import { failure } from '../../shared/errors.ts';
import { type JobRow, MAX_LANES, type MergeMode } from '../../shared/job/rows.ts';
import type { Waiting } from '../../shared/waiting.ts';
import type { State } from '../../shared/workspace/state.ts';
import { looked } from '../approval/decide.ts';
import { type Context, command, findJob, print, printExact, readState, withEngine } from '../screen/context.ts';
import { triedNow } from '../screen/run/tryNow.ts';
import { dollarsOrNone, plural } from '../text/format.ts';
import { parseCount, parseUsd } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { stewardOf } from './run/run.ts';
import { runJob } from './run/runJob.ts';

/** Sends one request about the chosen job. Prints the result, and how to continue the job if no process runs it. */
async function act(
  context: Context,
  id: string | undefined,
  done: (job: JobRow) => string,
  request: (engine: OpenedEngine, job: JobRow) => Promise<object | null>,
): Promise<number> {
  const { job, answer, status } = await withEngine(context, async (engine) => {
    const found = findJob(context, engine.state, id);
    const answered = await request(engine, found);
    return { job: found, answer: answered, status: engine.state.jobs.get(found.id)?.status ?? found.status };
  });
  print(context, { job: { id: job.id, status }, ...answer }, done(job));
  return 0;
}

export function selectVerb(context: Context, id: string | undefined): Promise<number> {
  return act(
    context,
    id,
    (job) => `Selected job ${job.id}`,
    (engine, job) => engine.request('selectJob', { jobId: job.id }),
  );
}

export function pauseVerb(context: Context, id: string | undefined): Promise<number> {
  return act(
    context,
    id,
    (job) => `Paused job ${job.id}. Resume: ${command(context, `run --resume ${job.id}`)}`,
    (engine, job) => engine.request('pauseJob', { jobId: job.id }),
  );
}

/** The call of a waiting job is retried now. */
export function resumeVerb(context: Context, id: string | undefined): Promise<number> {
  let tried = '';
  return act(
    context,
    id,
    (job) => `Job ${job.id} can continue. To run it here: ${command(context, `run --resume ${job.id}`)}${tried}`,
    async (engine, { id: jobId, project_id: projectId, status }) => {
      const ask = (): Promise<null> => engine.request('resumeJob', { jobId });
      if (status === 'paused') return ask();
      const waitingIn = (state: State): Waiting | null => jobWaiting(state, need(state, 'jobs', jobId));
      const isWaiting = waitingIn(engine.state) !== null;
      const text = await triedNow(context, engine, { of: 'job', id: jobId, projectId }, waitingIn, ask);
      if (isWaiting) tried = `\n  ${text}`;
      return { waiting: waitingIn(engine.state) };
    },
  );
}

export async function budgetVerb(context: Context, usd: string, id: string | undefined): Promise<number> {
  const budgetMicroUsd = parseUsd(usd, 'budget');
  return act(
    context,
    id,
    (job) => `Budget of job ${job.id}: ${dollarsOrNone(budgetMicroUsd === null ? null : budgetMicroUsd / 1e6)}`,
    (engine, job) => engine.request('setBudget', { jobId: job.id, budgetMicroUsd }),
  );
}

export async function lanesVerb(context: Context, text: string, id: string | undefined): Promise<number> {
  const lanes = parseCount(text, 'the number of lanes', 1, MAX_LANES);
  return act(
    context,
    id,
    (job) => `Lanes of job ${job.id}: ${lanes}`,
    (engine, job) => engine.request('setLanes', { jobId: job.id, lanes }),
  );
}

export function setupVerb(context: Context, setup: string, id: string | undefined): Promise<number> {
  return act(
    context,
    id,
    (job) =>
      [
        `Added the setup command of job ${job.id}: ${visibleLine(setup)}`,
        'It runs before the next attempt, and in each fresh checkout. Answer the open questions, if there are any.',
        `To carry it out here: ${command(context, `run --resume ${job.id}`)}`,
      ].join('\n'),
    (engine, job) => engine.request('addSetup', { jobId: job.id, command: setup }),
  );
}

export function cancelVerb(context: Context, id: string | undefined): Promise<number> {
  return act(
    context,
    id,
    (job) => `Cancelled job ${job.id}`,
    (engine, job) => engine.request('cancelJob', { jobId: job.id }),
  );
}

export function rollbackVerb(context: Context, id: string | undefined): Promise<number> {
  return act(
    context,
    id,
    (job) => `Rolled back job ${job.id}`,
    (engine, job) => engine.request('rollBack', { jobId: job.id }),
  );
}

/** Resets the retry count of the failed features of an open job. */
export async function retryVerb(context: Context, id: string | undefined): Promise<number> {
  const { job, ids } = await withEngine(context, async (engine) => {
    const found = findJob(context, engine.state, id);
    if (isFinal(JOB, found.status)) {
      throw failure('ILLEGAL_TRANSITION', `job ${found.id} is ${found.status}: it cannot be retried`, {
        hint: `File its brief again: ${command(context, 'run "…"')}`,
      });
    }
    const failed = jobFeatures(engine.state, found.id).filter((row) => row.status === 'failed');
    for (const { id: featureId } of failed) {
      await engine.request('setFeature', { featureId, status: 'pending', reason: 'retried by the steward' });
    }
    return { job: found, ids: failed.map((row) => row.id) };
  });
  const next = `Continue: ${command(context, `run --resume ${job.id}`)}`;
  const text =
    ids.length === 0
      ? `Job ${job.id} has no failed feature.`
      : `${plural(ids.length, 'feature')} pending again. ${next}`;
  print(context, { job: { id: job.id }, features: ids }, text);
  return 0;
}

/** Finishes a job at the merge gate, or merges the branch that a completed one left. */
export async function finishVerb(context: Context, id: string | undefined, mode: MergeMode): Promise<number> {
  const state = await readState(context);
  const job = findJob(context, state, id);
  const gate = mergeGate(state, job.id);
  if (gate !== undefined && !(await looked(context, { approval: gate, job }, { choice: mode }))) return 3;
  return runJob(context, {
    async begin(engine) {
      await engine.request('mergeJob', { jobId: job.id, mode, approvalId: gate?.id ?? null });
      return job.id;
    },
    files: false,
    steward: stewardOf(context, false),
  });
}

export async function diffVerb(context: Context, id: string | undefined): Promise<number> {
  const job = findJob(context, await readState(context), id);
  const diff = await context.workspace.job.diff(job.id);
  printExact(context, { job: { id: job.id }, diff }, diff, diff === '' ? 'Nothing changed yet.' : diff);
  return 0;
}
