/**
 * Keeps state of Autonomous (`.autonomous`, in any spelling, at any depth) out of the trees of jobs: it belongs only to
 * the owner of a workspace. State that an agent writes is left out of its commits, and a result that still changes it
 * is not merged: merged, it would become the live state. Line ends that git alone changed are left out, too.
 */
import { lstat, readFile } from 'node:fs/promises';
import { isStatePath } from '../../../core/guard/hiddenNames.ts';
import type { JobTree } from '../../../engine/job/gitPorts.ts';
import { madeObject } from '../looseObjects.ts';
import { diskPath, objectId, shownPath, splitZ } from '../names.ts';
import type { GitLocation, RunGit } from '../runGit.ts';
import { requireCommits, type WorkTreeLocation } from './jobTree.ts';
import { BASE, BASELINE } from './transfer.ts';

const DIFF = ['diff-tree', '-r', '-z', '--no-abbrev', '--no-renames', '--no-commit-id'];
const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/;

/** The line ends of a larger file are not compared. */
const MAX_COMPARED = 16_000_000;

interface EntryChange {
  /** Has one character per byte. */
  readonly path: string;
  /** Ids of the previous and the new blob, if only the content of a plain file changed. */
  readonly blobs: readonly [string, string] | null;
  /** The previous entry in the format of `update-index --index-info`; null if there was none. */
  readonly before: string | null;
  readonly nothing: string;
}

async function changesBetween(
  git: RunGit,
  place: GitLocation,
  from: string,
  to: string,
): Promise<readonly EntryChange[]> {
  if (from === to) return [];
  const fields = splitZ(await git.ok(place, [...DIFF, '--raw', objectId(from), objectId(to), '--'], { bytes: true }));
  return fields.flatMap((line, at) => {
    const path = fields[at + 1] ?? '';
    const [, mode = '', newMode, id = '', newId = ''] = (at % 2 === 0 ? RAW.exec(line) : null) ?? [];
    if (mode === '') return [];
    const blobs = mode === newMode && mode.startsWith('100') ? ([id, newId] as const) : null;
    const before = mode === '000000' ? null : `${mode} ${id}\t${path}\0`;
    return [{ path, blobs, before, nothing: `0 ${'0'.repeat(id.length)}\t${path}\0` }];
  });
}

const isState = ({ path }: EntryChange): boolean => isStatePath(shownPath(path));

/** Whether git stored other line ends than the file has. */
async function isConverted(root: string, { path, blobs }: EntryChange): Promise<boolean> {
  const at = diskPath(root, path);
  const stat = blobs === null ? null : await lstat(at).catch(() => null);
  if (blobs === null || stat?.isFile() !== true || stat.size > MAX_COMPARED) return false;
  const content = await readFile(at).catch(() => null);
  return content !== null && madeObject('blob', content, blobs[1].length).id !== blobs[1];
}

/**
 * Changes of nothing but line ends that git alone made: attributes of the repository ask for others than it stores, and
 * git sees such a file as changed, or does not, by chance.
 */
async function changedByGit(
  git: RunGit,
  place: WorkTreeLocation,
  changes: readonly EntryChange[],
  trees: readonly [string, string],
): Promise<readonly EntryChange[]> {
  const converted: EntryChange[] = [];
  for (const change of changes) if (await isConverted(place.workTree, change)) converted.push(change);
  if (converted.length === 0) return [];
  const count = [...DIFF, '--numstat', '--ignore-cr-at-eol', '--no-textconv', ...trees, '--'];
  const lines = splitZ(await git.ok(place, count, { bytes: true }));
  const otherwise = new Set(lines.flatMap((line) => /^(?!0\t0\t)[\d-]+\t[\d-]+\t(.*)$/s.exec(line)?.[1] ?? []));
  return converted.filter(({ path }) => !otherwise.has(path));
}

export interface TakenTree {
  readonly tree: string;
  /** Paths of the state of Autonomous that was left out. */
  readonly left: readonly string[];
}

/**
 * The tree `now` of the index of `place`, with the state of Autonomous, and line ends that git alone changed, as in the
 * tree `before`.
 */
export async function takenTree(git: RunGit, place: WorkTreeLocation, before: string, now: string): Promise<TakenTree> {
  const all = await changesBetween(git, place, before, now);
  const state = all.filter(isState);
  const other = all.filter((change) => !isState(change));
  const changes = [...state, ...(await changedByGit(git, place, other, [objectId(before), objectId(now)]))];
  if (changes.length === 0) return { tree: now, left: [] };
  // all deletions come first: a file may replace a folder
  const input = [...changes.map(({ nothing }) => nothing), ...changes.map((change) => change.before ?? '')].join('');
  await git.ok(place, ['update-index', '-z', '--index-info'], { input, bytes: true });
  return { tree: (await git.ok(place, ['write-tree'])).trim(), left: state.map(({ path }) => shownPath(path)) };
}

/** Paths of state of Autonomous that this commit of a job changes, compared with its base. */
export async function stateIn(git: RunGit, tree: JobTree, commit: string): Promise<readonly string[]> {
  const place = await requireCommits(tree);
  const baseline = (await git.ok(place, ['rev-parse', '--verify', BASELINE])).trim();
  const changed = async (from: string) =>
    (await changesBetween(git, place, from, commit)).filter(isState).map(({ path }) => path);
  const ours = await changed(baseline);
  if (ours.length === 0) return ours;
  const met = await git.run(place, ['merge-base', BASE, objectId(commit)]);
  if (met.code !== 0) return ours.map(shownPath);
  // changes of a later base of the user belong to the user
  const later = new Set(await changed(met.stdout.trim()));
  return ours.filter((path) => later.has(path)).map(shownPath);
}
