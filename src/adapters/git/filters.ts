/** Filters that the user's git would run on files of a commit, e.g. of Git LFS. They are programs of the user's and never run here. */
import { join } from 'node:path';
import { readIfThere } from './gitDirectory.ts';
import { splitZ } from './names.ts';
import type { RunGit } from './runGit.ts';
import type { Shadow } from './shadow.ts';
import type { UserRepository } from './userRepository.ts';

/** Why a checkout with filtered files is not moved. */
export const FILTERED =
  'files here go through filters of your git (filter= in .gitattributes), which are never run: take the result as a branch and merge it yourself';

/** Whether a filter could be meant to run for files of this commit: only the user moves such a checkout. */
export async function usesFilters(
  git: RunGit,
  shadow: Pick<Shadow, 'place'>,
  repository: UserRepository,
  commit: string,
): Promise<boolean> {
  const list = splitZ(await git.ok(shadow.place, ['ls-tree', '-r', '-z', '--full-tree', commit]));
  const files = list.filter((line) => /(?:^|\/)\.gitattributes$/i.test(line.slice(line.indexOf('\t') + 1)));
  const input = files.map((line) => `${line.split(/[ \t]/)[2]}\n`).join('');
  const texts = input === '' ? '' : await git.ok(shadow.place, ['cat-file', '--batch'], { input });
  const own = (await readIfThere(join(repository.commonDir, 'info', 'attributes'))) ?? '';
  return /(?:^|\s)filter\s*=/m.test(`${texts}\n${own}`);
}
