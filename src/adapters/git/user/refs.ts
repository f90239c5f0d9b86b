/** Reads and changes refs of the user's repository: their checkouts, and changes by compare-and-swap. */
import { gitFailure, heldBy, type RunGit } from '../runGit.ts';
import type { UserRepository } from './sides.ts';

export interface RefChange {
  readonly ref: string;
  /** Null if the ref must not exist yet. */
  readonly from: string | null;
  /** Null to delete the ref. */
  readonly to: string | null;
}

export type SwapResult =
  | { readonly outcome: 'moved' }
  /** A ref has another value than expected. */
  | { readonly outcome: 'raced' }
  | { readonly outcome: 'refused'; readonly reason: string };

/** Applies all changes or none; durable when it resolves. No hook runs. Throws DISK if another program holds a ref: then some may be applied. */
export async function swapRefs(
  git: RunGit,
  repository: UserRepository,
  changes: readonly RefChange[],
  reason: string,
): Promise<SwapResult> {
  const lines = changes.map(({ ref, from, to }) => {
    if (to === null) return from === null ? '' : `delete ${ref} ${from}\n`;
    return `update ${ref} ${to} ${from ?? '0'.repeat(to.length)}\n`;
  });
  const args = ['update-ref', '-m', reason, '--stdin'];
  const answer = await git.run(repository.place, args, { input: lines.join('') });
  if (answer.code === 0) return { outcome: 'moved' };
  if (heldBy(answer) !== null) throw gitFailure(args, answer);
  if (/but expected|reference already exists|unable to resolve reference/.test(answer.stderr))
    return { outcome: 'raced' };
  if (/\.lock': File exists/.test(answer.stderr)) {
    return { outcome: 'refused', reason: 'another git is at work in the repository: try again' };
  }
  const clash = /'([^']+)' exists; cannot create '([^']+)'/.exec(answer.stderr);
  if (clash) return { outcome: 'refused', reason: `${clash[1]} is in the way of ${clash[2]}: rename that branch` };
  throw gitFailure(args, answer);
}

/** Folders of the work trees that have this ref checked out. */
export async function checkoutsOf(git: RunGit, repository: UserRepository, ref: string): Promise<string[]> {
  const text = await git.ok(repository.place, ['worktree', 'list', '--porcelain', '-z']);
  return text.split('\0\0').flatMap((block) => {
    const fields = block.split('\0');
    const folder = fields.find((field) => field.startsWith('worktree '))?.slice('worktree '.length);
    return folder !== undefined && fields.includes(`branch ${ref}`) ? [folder] : [];
  });
}
