/**
 * Finds changes that are too large for a commit, before git reads the files: git would hold a file of several GB in
 * memory for its patch, and copy it into its store with each checkpoint.
 */
import { lstatSync } from 'node:fs';
import type { TooLarge } from '../../../../engine/job/gitPorts.ts';
import { diskPath, shownPath, splitZ } from '../../names.ts';
import type { GitAnswer, GitLocation, RunGit } from '../../runGit.ts';
import type { SizeLimits } from '../../user/sides.ts';
import type { WorkTreeLocation } from '../jobTree.ts';
import { BASE, BASELINE } from '../transfer.ts';

/** A smaller change cannot fill a job's limit, so the files that the job changed before are not counted. */
export const SMALL_BYTES = 1_000_000;
const LIST = ['ls-files', '-z', '--others', '--modified', '--deleted', '--exclude-standard'] as const;

export interface Sized {
  /** Changed paths that a commit takes, one character per byte, without the folders of nested repositories. */
  readonly taken: readonly string[];
  readonly tooLarge: readonly TooLarge[];
}

/** Bytes of the file at a path of one character per byte; 0 for anything that is not a plain file. */
function bytesAt(root: string, path: string): number {
  try {
    const stat = lstatSync(diskPath(root, path), { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.size : 0;
  } catch {
    // Removed, or inside an unreadable folder: `add` reports it.
    return 0;
  }
}

async function blobBytes(git: RunGit, place: GitLocation, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const input = ids.map((id) => `${id}\n`).join('');
  const sizes = await git.ok(place, ['cat-file', '--batch-check=%(objectsize)'], { input });
  // A missing object has no size: `<id> missing`.
  return sizes.split('\n').map((size) => (/^\d+$/.test(size) ? Number(size) : 0));
}

/** Bytes of the files before their change, by path. */
async function bytesBefore(git: RunGit, place: GitLocation, indexed: readonly string[], changed: ReadonlySet<string>) {
  const known = indexed.flatMap((line) => {
    const [, id = ''] = line.split(' ', 2);
    const path = line.slice(line.indexOf('\t') + 1);
    return changed.has(path) ? [{ id, path }] : [];
  });
  const sizes = await blobBytes(
    git,
    place,
    known.map(({ id }) => id),
  );
  return new Map(known.map(({ path }, at) => [path, sizes[at] ?? 0]));
}

/**
 * Bytes of the files that the index changes, compared with the job's baseline, or with the user's tip that was merged
 * in later.
 */
async function bytesOfJob(git: RunGit, place: GitLocation): Promise<number> {
  const totals = [BASELINE, BASE].map(async (ref) => {
    const answer = await git.run(place, ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', ref]);
    if (answer.code !== 0) return null;
    const ids = splitZ(answer.stdout).flatMap(
      (line) => /^:\d+ \d+ [0-9a-f]+ (?!0+ )([0-9a-f]+) /.exec(line)?.[1] ?? [],
    );
    return (await blobBytes(git, place, ids)).reduce((sum, bytes) => sum + bytes, 0);
  });
  const known = (await Promise.all(totals)).filter((total) => total !== null);
  return known.length === 0 ? 0 : Math.min(...known);
}

/**
 * Checks the files that `add` would stage. `indexed` are the lines of `ls-files --stage`, one character per byte.
 * Returns a failed answer of git: `add` would fail in the same way.
 */
export async function sizeUp(
  git: RunGit,
  place: WorkTreeLocation,
  indexed: readonly string[],
  limits: SizeLimits,
  patienceMs: number | undefined,
): Promise<Sized | GitAnswer> {
  const answer = await git.run(place, LIST, { bytes: true, ...(patienceMs === undefined ? {} : { patienceMs }) });
  if (answer.code !== 0) return answer;
  const paths = [...new Set(splitZ(answer.stdout))].filter((path) => !path.endsWith('/'));
  const before = await bytesBefore(git, place, indexed, new Set(paths));
  const sized = paths.map((path) => ({
    path,
    bytes: Math.max(bytesAt(place.workTree, path), before.get(path) ?? 0),
  }));
  const tooLarge = sized.filter(({ bytes }) => bytes > limits.fileBytes);
  const rest = sized.filter(({ bytes }) => bytes <= limits.fileBytes).sort((a, b) => b.bytes - a.bytes);
  let total = rest.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total >= SMALL_BYTES) total += await bytesOfJob(git, place);
  const taken: string[] = [];
  for (const file of rest) {
    if (total <= limits.changeBytes || file.bytes === 0) taken.push(file.path);
    else {
      tooLarge.push(file);
      total -= file.bytes;
    }
  }
  const left = tooLarge.map(({ path, bytes }) => ({ path: shownPath(path), bytes }));
  return { taken, tooLarge: left.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
