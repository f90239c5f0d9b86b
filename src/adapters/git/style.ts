/** What the message of a job's commit goes by, read from the job's git directory alone. */
import { join } from 'node:path';
import type { CommitStyle } from '../../core/commitMessage.ts';
import type { JobTree } from '../../engine/ports.ts';
import { OWN_IDENTITY } from './gitDirectory.ts';
import { requireCommits } from './jobTree.ts';
import { objectId, splitZ } from './names.ts';
import type { RunGit } from './runGit.ts';

const SUBJECTS = 20;
const LOG = ['log', '-z', '--no-merges', `--max-count=${SUBJECTS}`, '--format=%s', '--end-of-options'];

/** See GitPort.commitStyle. */
export async function commitStyle(git: RunGit, tree: JobTree, origin: string): Promise<CommitStyle> {
  const place = await requireCommits(tree);
  const [log, email] = await Promise.all([
    git.run(place, [...LOG, objectId(origin)]),
    git.run(place, ['config', '--file', join(tree.gitDir, 'config'), '--get', 'user.email']),
  ]);
  // A history that is not whole gives fewer subjects: the style of a message is worth no failure.
  return {
    subjects: log.code === 0 ? splitZ(log.stdout) : [],
    isByUser: email.code === 0 && email.stdout.trim() !== OWN_IDENTITY.email,
  };
}
