/**
 * An attempt's tree is kept in `.autonomous` while it works, after every turn, and when it ends, however it ends: the clone may go.
 * A file is rewritten as a whole, so one that takes long is written less often.
 */
import { keptBytes, parseKept } from '../../../core/job/keptWork.ts';
import { need, openAttempt } from '../../../core/state/rows.ts';
import { messageOf } from '../../../shared/errors.ts';
import type { AttemptRow, JobRow } from '../../../shared/job/rows.ts';
import { type JobContext, say } from '../context.ts';
import type { GitPort } from '../gitPorts.ts';
import type { KeptMemory } from '../jobMemory.ts';
import { jobTree, laneHead, treeOf } from './tree.ts';

/** Share of the time that keeping may take while an attempt works. */
const DUTY = 0.05;

/** The parts of a loop that saving needs. */
export interface Keeping extends Pick<JobContext, 'kept' | 'clock' | 'projectDir'> {
  readonly git: Pick<GitPort, 'change' | 'origin' | 'treeId'>;
  readonly store: Pick<JobContext['store'], 'state'>;
  readonly memory: Pick<JobContext['memory'], 'kept'>;
}

const NOTHING = new Uint8Array();

/** Saves a commit of the attempt's tree durably and returns its hash. Null if the tree equals the attempt's starting tree. */
export async function keepWork(context: Keeping, attempt: AttemptRow, commit: string): Promise<string | null> {
  const known = context.memory.kept;
  // The merge queue may have returned it on another commit.
  const isBegun = known?.attempt === attempt.id && known.base === attempt.base_commit;
  if (commit === attempt.base_commit && !isBegun) return null;
  const kept = isBegun ? known : await beginning(context, attempt);
  if (kept.commit === commit) return kept.hash;
  const began = context.clock.monotonic();
  const job = need(context.store.state, 'jobs', attempt.job_id);
  const work = await context.git.change(jobTree(context.projectDir, job), attempt.base_commit, commit);
  const { origin, after, start } = kept;
  kept.hash = await context.kept.put(
    attempt.id,
    keptBytes({ attempt: attempt.id, job: job.id, origin, after, start, work }),
  );
  kept.commit = commit;
  const now = context.clock.monotonic();
  kept.notBefore = now + (now - began) / DUTY;
  return kept.hash;
}

/** Saves the work after a turn of the current attempt. */
export async function keepTurn(context: JobContext, commit: string): Promise<void> {
  const attempt = openAttempt(context.store.state, context.jobId, context.lane);
  if (attempt?.status !== 'running' || attempt.feature_id === null) return;
  const { kept } = context.memory;
  const isBegun = kept?.attempt === attempt.id && kept.base === attempt.base_commit;
  if (isBegun && context.clock.monotonic() < kept.notBefore) return;
  await keepWork(context, attempt, commit);
}

/**
 * Saves the current tree when the attempt was interrupted in the middle of a turn: its last changes are in no checkpoint yet. The
 * next actions do not depend on it, so a failure is only reported.
 */
export async function keepAsItLies(context: JobContext, attempt: AttemptRow | undefined): Promise<void> {
  if (attempt === undefined || attempt.feature_id === null) return;
  try {
    const job = need(context.store.state, 'jobs', attempt.job_id);
    const last = context.memory.lastCheckpoint ?? laneHead(context, job);
    const commit = await context.git.checkpoint(treeOf(context, job), last);
    await keepWork(context, attempt, commit);
  } catch (thrown) {
    say(context, `what this attempt left could not be kept: ${messageOf(thrown)}`, { sessionId: attempt.session_id });
  }
}

/** The base of the attempt: the result of an earlier attempt that is saved too, or a separate patch. */
async function beginning(context: Keeping, attempt: AttemptRow): Promise<KeptMemory> {
  const job = need(context.store.state, 'jobs', attempt.job_id);
  const tree = jobTree(context.projectDir, job);
  const origin = await context.git.origin(tree, job.baseline ?? attempt.base_commit, job.snapshot);
  const [from, at] = await Promise.all([
    context.git.treeId(tree, origin),
    context.git.treeId(tree, attempt.base_commit),
  ]);
  const after = from === at ? null : await earlier(context, job, attempt, { origin, tree: at });
  const start =
    from === at || after !== null
      ? { tree: at, patch: NOTHING }
      : await context.git.change(tree, origin, attempt.base_commit);
  const kept: KeptMemory = {
    attempt: attempt.id,
    base: attempt.base_commit,
    origin,
    after,
    start,
    commit: null,
    hash: null,
    notBefore: 0,
  };
  context.memory.kept = kept;
  return kept;
}

/** The newest saved attempt of the job whose result is the starting tree of this one. */
async function earlier(
  context: Keeping,
  job: JobRow,
  attempt: AttemptRow,
  start: { readonly origin: string; readonly tree: string },
): Promise<number | null> {
  const before = [...context.store.state.attempts.values()].findLast(
    (row) => row.job_id === job.id && row.id < attempt.id && row.commit === attempt.base_commit && row.kept !== null,
  );
  const file = before === undefined ? null : await context.kept.get(before.id);
  if (before === undefined || file?.hash !== before.kept) return null;
  const { work, origin } = parseKept(file.data);
  return work.tree === start.tree && origin === start.origin ? before.id : null;
}
