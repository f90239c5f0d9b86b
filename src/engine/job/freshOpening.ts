/** Computes the opening of a worker's conversation that continues an attempt: its assignment, and its work so far. */

import { need } from '../../core/state/rows.ts';
import type { SessionPorts } from '../session/ports.ts';
import type { JobContext } from './context.ts';
import { checkpointTree } from './tree/checkpoints.ts';
import type { StartingTree } from './tree/startingTree.ts';
import { treeOf } from './tree/tree.ts';
import { workerAssignment } from './work/workerAssignment.ts';

type Opening = NonNullable<SessionPorts['freshOpening']>;

/** Call between two rounds of the session. */
export async function freshOpening(context: JobContext, sessionId: number): ReturnType<Opening> {
  const { git, store } = context;
  const { state } = store;
  const job = need(state, 'jobs', context.jobId);
  const attempt = need(state, 'attempts', need(state, 'sessions', sessionId).attempt_id ?? 0);
  const phase = need(state, 'phases', attempt.phase_id);
  const feature = need(state, 'features', attempt.feature_id ?? 0);
  const accepted = attempt.base_commit;
  const commit = await checkpointTree(context);
  const place = treeOf(context, job);
  const changed = commit === accepted ? [] : await git.changedPaths(place, accepted, commit);
  const from = changed.length === 0 ? null : attempt.number;
  const tree: StartingTree = { accepted, commit, from, changed, conflicts: [], stashes: await git.stashes(place) };
  const soFar = { tree, todo: attempt.todo };
  const { spec } = await workerAssignment(context, job, phase, feature, { number: attempt.number, accepted, soFar });
  const { shared, phase: about, opening } = spec;
  return { ...(shared === undefined ? {} : { shared }), ...(about === undefined ? {} : { phase: about }), opening };
}
