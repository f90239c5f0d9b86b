/** The user's work tree as a hash: dirty, untracked, ignored and staged. */
import { plainGit } from '../git/gitFixture.ts';
import { filesOf } from '../git/treeGuard.ts';

export type UserTree = Readonly<Record<string, string>>;

/** Every file of it but our own folder, and what is staged. */
export function userTree(repo: string): UserTree {
  return { ...filesOf(repo), '(staged)': plainGit(repo, ['diff', '--cached']) };
}

/** What is not as it was; `merged`: files that a fast-forward may have brought. */
export function changedIn(before: UserTree, after: UserTree, merged: readonly string[]): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter(
    (path) => before[path] !== after[path] && !(before[path] === undefined && merged.includes(path)),
  );
}
