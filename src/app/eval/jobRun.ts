/** Runs the job of one eval run in an owner of its own, to its end or its first question. */
import { pendingApprovals } from '../../core/approval/stewardship.ts';
import { workerPart } from '../../core/eval/workerPart.ts';
import { countedIn, ledgerOf } from '../../core/money/ledger.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import type { RunEnd, RunFacts } from '../../engine/eval/ports.ts';
import { evalStopped } from '../../engine/eval/stopped.ts';
import type { RequestInput } from '../../engine/state/api.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { ApprovalKind, ApprovalRow } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { Owner } from '../owner/assemble.ts';
import { becomeOwner } from '../owner/owner.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';

/** Questions whose cause is the machine, the repository or the provider, and not the work. */
const NOT_OF_THE_WORK: ReadonlySet<ApprovalKind> = new Set([
  'dirty_tree',
  'unmergeable',
  'setup',
  'crashes',
  'provider',
  'project',
]);

/** `options.places` are those of the run. Throws ABORTED after `signal`: the next call resumes the job. */
export async function runJobIn(
  options: OwnerOptions,
  request: RequestInput<'submitBrief'>,
  signal: AbortSignal,
): Promise<RunEnd> {
  const owner = await becomeOwner({ ...options, work: true, resumes: false });
  try {
    return await toItsEnd(owner, request, signal);
  } finally {
    await owner.close();
  }
}

async function toItsEnd(owner: Owner, request: RequestInput<'submitBrief'>, signal: AbortSignal): Promise<RunEnd> {
  const ended = Promise.withResolvers<RunEnd>();
  let jobId: string | null = null;
  const look = (): void => {
    const job = jobId === null ? undefined : owner.state.jobs.get(jobId);
    const end = job === undefined ? null : endOf(owner.state, job);
    if (end !== null) ended.resolve(end);
  };
  const gaveUp = (reason: string): void => {
    const job = jobId === null ? undefined : owner.state.jobs.get(jobId);
    if (job === undefined) ended.reject(failure('INTERNAL', reason));
    else ended.resolve({ outcome: 'void', reason, facts: factsOf(owner.state, job) });
  };
  const stop = (): void => ended.reject(evalStopped());
  const unfollow = owner.follow({ event: look, failed: (_, { message }) => gaveUp(message), lost: gaveUp });
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    else {
      jobId = await beginOrResume(owner, request);
      look();
    }
    return await ended.promise;
  } finally {
    unfollow();
    signal.removeEventListener('abort', stop);
  }
}

async function beginOrResume(owner: Owner, request: RequestInput<'submitBrief'>): Promise<string> {
  const [known] = owner.state.jobs.values();
  if (known === undefined) return (await owner.request('submitBrief', request)).jobId;
  if (!isFinal(JOB, known.status)) await owner.request('resumeJob', { jobId: known.id });
  return known.id;
}

/** Null while the job works or waits for a time. */
function endOf(state: State, job: JobRow): RunEnd | null {
  const facts = factsOf(state, job);
  if (job.status === 'completed') return { outcome: 'completed', reason: '', facts };
  if (job.status === 'awaiting_steward') {
    const [asked] = pendingApprovals(state).filter((row) => row.job_id === job.id);
    // The question is part of another event and comes next.
    return asked === undefined ? null : askedEnd(asked, facts);
  }
  const reason = `the job is ${job.status}: ${job.reason ?? 'no reason is known'}`;
  // No person is there, so the engine paused it after a failure.
  if (job.status === 'paused') return { outcome: 'void', reason, facts };
  return isFinal(JOB, job.status) ? { outcome: 'stopped', reason, facts } : null;
}

/** No one answers in an eval. */
function askedEnd({ kind, question, detail }: ApprovalRow, facts: RunFacts): RunEnd {
  const reason = `it asked: ${question}`;
  if (!NOT_OF_THE_WORK.has(kind)) return { outcome: 'stopped', reason, facts };
  return { outcome: 'void', reason: detail === '' ? reason : `${reason} ${detail.slice(0, 500)}`, facts };
}

function factsOf(state: State, job: JobRow): RunFacts {
  const sums = ledgerOf(state.spends.values()).byJob.get(job.id);
  const sessions = [...state.sessions.values()].filter((row) => row.job_id === job.id);
  const workedMs = sessions.filter((row) => row.parent_id === null).reduce((sum, row) => sum + row.worked_ms, 0);
  return {
    executor: job.options.executors?.worker ?? BUILT_IN,
    model: job.options.models.worker,
    provider: job.options.provider,
    microUsd: countedIn(sums),
    unpricedCalls: sums?.unpricedCalls ?? 0,
    turns: sums?.calls ?? 0,
    seconds: Math.round(workedMs / 100) / 10,
    worker: workerPart(state, job),
  };
}
