/** Makes one commit per feature before the result is merged: fixes become part of the commits that they fix. */
import { type Fold, featuresNamed, foldPlan } from '../../../core/job/result/foldFixes.ts';
import { need } from '../../../core/state/rows.ts';
import type { FoldedFixes } from '../../../shared/job/jobEvents.ts';
import { count } from '../../approval/questions.ts';
import { type JobContext, say } from '../context.ts';
import { jobTree } from '../tree/tree.ts';

/** Folds what can be folded. Returns null if each feature has one commit already. */
export async function foldFixes(context: JobContext, head: string): Promise<FoldedFixes | null> {
  const { git, projectDir, store, jobId } = context;
  const job = need(store.state, 'jobs', jobId);
  const tree = jobTree(projectDir, job);
  const baseline = job.baseline ?? head;
  const own = await git.ownCommits(tree, { baseline, head });
  if (own.length < 2) return null;
  const plan = foldPlan(jobId, store.state.features, own);
  if (plan.folds.length === 0 && plan.apart.length === 0) return null;
  const folded = await git.foldCommits(tree, { baseline, head, folds: plan.folds });
  const nameOf = (id: string): string => {
    const message = own.find((commit) => commit.id === id)?.message ?? '';
    const [feature] = featuresNamed(message, jobId);
    return `"${(feature === undefined ? undefined : store.state.features.get(feature)?.name) ?? message.split('\n', 1)[0]}"`;
  };
  const conflicting = ({ from, into }: Fold): string =>
    `The commit of ${nameOf(from)} stays apart from that of ${nameOf(into)}: commits in between change the same lines.`;
  const apart = [
    ...plan.apart.map((id) => `The commit of ${nameOf(id)} stays: it changes no file of another feature.`),
    ...folded.apart.map(conflicting),
  ];
  const folds = plan.folds.length - folded.apart.length;
  if (folds > 0) say(context, `folded ${count(folds, 'commit')} of fixes into their features`);
  return { head: folded.head, moved: folded.moved, apart };
}
