/** Implements the engine's git ports. */
import type { GitPort, JobTree, TooLarge } from '../../engine/job/gitPorts.ts';
import { tipOfBase } from './job/baseMerge.ts';
import { createChangeOperations } from './job/change/change.ts';
import { createDiffOperations } from './job/change/diff.ts';
import { createIgnoredOperations } from './job/change/ignored.ts';
import { createTreeOperations } from './job/change/tree.ts';
import { createCloneOperations } from './job/cloneOperations.ts';
import { requireCommits } from './job/jobTree.ts';
import { journalOf } from './job/transfer.ts';
import { objectId } from './names.ts';
import { createRunGit, type GitSettings } from './runGit.ts';
import { branchOf, inspect, isCommitted } from './user/inspect.ts';
import type { MovePoints } from './user/merge/fastForward.ts';
import { findMerge, integrate } from './user/merge/integrate.ts';
import { recoverFastForward } from './user/merge/recoverFastForward.ts';
import { rollBack } from './user/merge/rollBack.ts';
import { executedPlaces } from './user/programs.ts';
import type { FreeBytes, SizeLimits, UserSide } from './user/sides.ts';
import { trackedFiles } from './user/trackedFiles.ts';
import { openUserRepository } from './user/userRepository.ts';

export interface GitOptions extends GitSettings {
  /** Called if a job's tree holds nested repositories; their files are committed as ordinary ones, their `.git` never. */
  readonly onNestedRepositories?: (tree: JobTree, paths: readonly string[]) => void;
  /** Called if an agent wrote state of Autonomous into its tree: no commit contains it. */
  readonly onStateLeftOut?: (tree: JobTree, paths: readonly string[]) => void;
  /** Called with uncommitted files of the user that are too large for the snapshot that a job starts from. */
  readonly onSnapshotTooLarge?: (tree: JobTree, files: readonly TooLarge[]) => void;
  /** For tests with small files. */
  readonly sizeLimits?: SizeLimits;
  /** For tests of a disk that is nearly full. */
  readonly freeBytes?: FreeBytes;
  /** For tests that race or crash inside a merge. */
  readonly points?: MovePoints;
}

export interface GitAdapter extends GitPort {
  /**
   * Returns the branch that is checked out, or null for a detached HEAD. Throws GIT_MISSING, NOT_A_REPOSITORY,
   * REPOSITORY_UNSUPPORTED.
   */
  branchOf(projectDir: string): Promise<string | null>;
  /** Whether the user's last commit contains the path in `projectDir`: then the path came with the repository. */
  isCommitted(projectDir: string, path: string): Promise<boolean>;
  /** Whether the repository around `projectDir` contains this file (absolute path) of a state. */
  isShipped(projectDir: string, path: string): Promise<boolean>;
  /** Text of a file in a commit. Null if the file is missing, is a folder or exceeds `maxBytes`. */
  textAt(tree: JobTree, commit: string, path: string, maxBytes: number): Promise<string | null>;
}

/** Creates the adapter. Looks for git at the first call. */
export function createGit({
  onNestedRepositories,
  onStateLeftOut,
  onSnapshotTooLarge,
  sizeLimits,
  points,
  freeBytes,
  ...settings
}: GitOptions): GitAdapter {
  const git = createRunGit(settings);
  const user: UserSide = { git, env: settings.env, clock: settings.clock, freeBytes, sizeLimits };
  return {
    executedPlaces: (projectDir) => executedPlaces(user, projectDir),
    inspect: (projectDir) => inspect(user, projectDir),
    branchOf: (projectDir) => branchOf(user, projectDir),
    isCommitted: (projectDir, path) => isCommitted(user, projectDir, path),
    isShipped: trackedFiles(user),
    ...createCloneOperations(user, onSnapshotTooLarge),
    ...createTreeOperations(
      git,
      {
        nested: (tree, paths) => onNestedRepositories?.(tree, paths),
        leftOut: (tree, paths) => onStateLeftOut?.(tree, paths),
      },
      sizeLimits,
      settings.clock,
    ),
    ...createIgnoredOperations(git),
    ...createDiffOperations(git),
    ...createChangeOperations(git),
    integrate: (request) => integrate(user, request, points),
    findMerge: (request) => findMerge(user, request),
    async recoverFastForward(tree) {
      const settled = await recoverFastForward(user, journalOf(tree));
      return settled.outcome === 'pending' ? settled.reason : settled.note;
    },
    rollBack: (tree, merge, message) => rollBack(user, tree, merge, message),
    async baseTip(projectDir, baseBranch) {
      return tipOfBase(git, await openUserRepository(user, projectDir), baseBranch);
    },
    async textAt(tree, commit, path, maxBytes) {
      const place = await requireCommits(tree);
      const answer = await git.run(place, ['cat-file', 'blob', `${objectId(commit)}:${path}`], { maxBytes });
      return answer.code === 0 && !answer.cut ? answer.stdout : null;
    },
  };
}
