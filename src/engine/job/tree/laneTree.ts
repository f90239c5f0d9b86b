/** Makes the work trees of the lanes beside the clone, with the dependencies that the setup installed. */
import { ranSetup } from '../../../core/job/plan/planSetup.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { need } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { type JobContext, say } from '../context.ts';
import { failureFeedback, gatherEvidence } from '../work/evidence.ts';
import { ensureTree } from './checkpoints.ts';
import { restoreDependencies } from './freshTree.ts';
import { cloneState, laneHead, treeOf } from './tree.ts';

/** A tree that exists is only completed. Throws COMMAND_FAILED if a setup command fails that passed in the clone. */
export async function ensureLane(context: JobContext): Promise<void> {
  const { git, lane, memory, signal } = context;
  if (lane === 0) return;
  const job = need(context.store.state, 'jobs', context.jobId);
  const setup = JSON.stringify(ranSetup(job));
  if (memory.setup === setup) return;
  const tree = treeOf(context, job);
  const head = laneHead(context, job);
  const isNew = await git.remakeClone(tree, cloneState(job, signal, head));
  if (isNew) memory.lastCheckpoint = head;
  if (isNew || (await git.recordedSetup(tree)) !== setup) {
    await install(context, job, isNew);
    if (signal.aborted) return;
    await ensureTree(context, head);
    await git.markIgnored(tree);
    await git.recordSetup(tree, setup);
  }
  memory.setup = setup;
}

async function install(context: JobContext, job: JobRow, isNew: boolean): Promise<void> {
  const commands = ranSetup(job);
  if (commands.length === 0) return;
  if (isNew && (await restoreDependencies(context, job, commands))) return;
  const label = `setup of lane ${context.lane + 1}`;
  say(context, label);
  const evidence = await gatherEvidence(context, commands, {
    commit: laneHead(context, job),
    label,
    network: 'registries',
  });
  const failed = evidence.find((one) => !hasPassed(one));
  if (failed === undefined || context.signal.aborted) return;
  throw failure('COMMAND_FAILED', `the setup command \`${failed.command}\` failed in lane ${context.lane + 1}`, {
    hint: failureFeedback(evidence) ?? '',
  });
}
