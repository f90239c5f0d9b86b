/** Reads subjects of commits, and the style of a job's commit messages, only from the job's git directory. */
import { join } from 'node:path';
import type { CommitStyle } from '../../../../core/job/result/commitMessage.ts';
import type { GitPort, JobTree } from '../../../../engine/job/gitPorts.ts';
import type { GainedCommits } from '../../../../shared/job/rows.ts';
import { OWN_IDENTITY } from '../../gitDirectory.ts';
import { objectId, splitZ } from '../../names.ts';
import type { RunGit } from '../../runGit.ts';
import { requireCommits } from '../jobTree.ts';

const SUBJECTS = 20;

/** See GitPort.lastSubjects. */
export async function lastSubjects(git: RunGit, tree: JobTree, commit: string, count: number): Promise<string[]> {
  const log = ['log', '-z', '--no-merges', `--max-count=${count}`, '--format=%s', '--end-of-options'];
  const answer = await git.run(await requireCommits(tree), [...log, objectId(commit)]);
  // Git cannot read an incomplete history. Subjects are hints only, so this is not a failure.
  return answer.code === 0 ? splitZ(answer.stdout) : [];
}

/** See GitPort.gainedCommits. */
export async function gainedCommits(
  git: RunGit,
  tree: JobTree,
  { from, to, max }: Parameters<GitPort['gainedCommits']>[1],
): Promise<GainedCommits | null> {
  const place = await requireCommits(tree);
  const range = ['--no-merges', '--end-of-options', `${objectId(from)}..${objectId(to)}`];
  const [counted, named] = await Promise.all([
    git.run(place, ['rev-list', '--count', ...range]),
    git.run(place, ['log', '-z', `--max-count=${max}`, '--format=%s', ...range]),
  ]);
  if (counted.code !== 0 || named.code !== 0) return null;
  return { count: Number(counted.stdout.trim()), subjects: splitZ(named.stdout) };
}

/** The style of each commit that this process looked at, by git directory: neither the history nor the author of a job changes. */
const styles = new Map<string, CommitStyle>();
const MAX_REMEMBERED = 100;

/** See GitPort.commitStyle. */
export async function commitStyle(git: RunGit, tree: JobTree, origin: string): Promise<CommitStyle> {
  const key = `${objectId(origin)} ${tree.gitDir}`;
  const known = styles.get(key);
  if (known !== undefined) return known;
  const place = await requireCommits(tree);
  const [subjects, email] = await Promise.all([
    lastSubjects(git, tree, origin, SUBJECTS),
    git.run(place, ['config', '--file', join(tree.gitDir, 'config'), '--get', 'user.email']),
  ]);
  const style = { subjects, isByUser: email.code === 0 && email.stdout.trim() !== OWN_IDENTITY.email };
  if (styles.size >= MAX_REMEMBERED) styles.clear();
  styles.set(key, style);
  return style;
}
