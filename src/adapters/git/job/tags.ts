/**
 * Finds the user's tags in a clone's history, as the commits that they point to, so that commands there can name a
 * release.
 */
import { isObjectId } from '../names.ts';
import type { RunGit } from '../runGit.ts';
import type { UserRepository } from '../user/sides.ts';

/** Only the newest tags: a repository may have one for each build. */
const MOST_TAGS = 1_000;
const FORMAT = '%(refname) %(objecttype) %(objectname) %(*objecttype) %(*objectname)';

/** Full ref name → commit. A tag object itself is not in the clone. */
export async function tagsIn(
  git: RunGit,
  { place }: UserRepository,
  head: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const args = [
    'for-each-ref',
    `--merged=${head}`,
    `--count=${MOST_TAGS}`,
    '--sort=-creatordate',
    `--format=${FORMAT}`,
  ];
  const listed = await git.ok(place, [...args, 'refs/tags'], { signal });
  const tags = listed.split('\n').flatMap((line) => {
    const [ref = '', type, id = '', innerType, innerId = ''] = line.split(' ');
    const commit = type === 'commit' ? id : innerType === 'commit' ? innerId : '';
    return isObjectId(commit) ? [[ref, commit] as const] : [];
  });
  return Object.fromEntries(tags);
}
