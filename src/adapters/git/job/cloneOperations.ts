/** Makes and follows the clone of a job, and reads and changes its history. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPort, JobTree, TooLarge } from '../../../engine/job/gitPorts.ts';
import { readIfThere } from '../gitDirectory.ts';
import type { UserSide } from '../user/sides.ts';
import { stashesIn } from './agent/agentKept.ts';
import { followHead } from './agent/followHead.ts';
import { mergeBase } from './baseMerge.ts';
import { carry } from './carry.ts';
import { foldCommits, ownCommits } from './change/foldCommits.ts';
import { commitStyle, gainedCommits, lastSubjects } from './change/style.ts';
import { makeClone, remakeClone } from './clone.ts';
import { freshCheckout, freshlyMade } from './fresh.ts';
import { ownFile, requireClone, SETUP_FILE } from './jobTree.ts';

type CloneOperations = Pick<
  GitPort,
  | 'makeClone'
  | 'remakeClone'
  | 'followHead'
  | 'recordedSetup'
  | 'recordSetup'
  | 'stashes'
  | 'requireClone'
  | 'freshCheckout'
  | 'freshlyMade'
  | 'ownCommits'
  | 'foldCommits'
  | 'commitStyle'
  | 'gainedCommits'
  | 'lastSubjects'
  | 'carry'
  | 'mergeBase'
>;

/** `tooLarge` is called with uncommitted files of the user that are too large for the snapshot that a job starts from. */
export function createCloneOperations(
  user: UserSide,
  tooLarge?: (tree: JobTree, files: readonly TooLarge[]) => void,
): CloneOperations {
  const { git } = user;
  return {
    makeClone: (tree, options) => makeClone(user, tree, options, (files) => tooLarge?.(tree, files)),
    remakeClone: (tree, options) => remakeClone(user, tree, options),
    followHead: (tree, options) => followHead(user, tree, options),
    recordedSetup: (tree) => readIfThere(ownFile(tree, SETUP_FILE)),
    recordSetup: (tree, setup) => writeFile(ownFile(tree, SETUP_FILE), setup),
    stashes: (tree) => stashesIn(join(tree.workTree, '.git')),
    requireClone: async (tree) => void (await requireClone(tree)),
    freshCheckout: (tree, options) => freshCheckout(user, tree, options),
    freshlyMade: (tree, folder) => freshlyMade(git, tree, folder),
    ownCommits: (tree, options) => ownCommits(git, tree, options),
    foldCommits: (tree, options) => foldCommits(git, tree, options),
    commitStyle: (tree, origin) => commitStyle(git, tree, origin),
    gainedCommits: (tree, options) => gainedCommits(git, tree, options),
    lastSubjects: (tree, commit, count) => lastSubjects(git, tree, commit, count),
    carry: (tree, options) => carry(git, tree, options),
    mergeBase: (tree, options) => mergeBase(user, tree, options),
  };
}
