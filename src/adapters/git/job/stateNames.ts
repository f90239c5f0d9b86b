/**
 * Keeps state of Autonomous (`.autonomous`, in any spelling, at any depth) out of the trees of jobs: it belongs only to
 * the owner of a workspace. State that an agent writes is left out of its commits, and a result that still changes it
 * is not merged: merged, it would become the live state.
 */
import { isStatePath } from '../../../core/guard/hiddenNames.ts';
import type { JobTree } from '../../../engine/job/gitPorts.ts';
import { objectId, shownPath, splitZ } from '../names.ts';
import type { GitLocation, RunGit } from '../runGit.ts';
import { requireCommits } from './jobTree.ts';
import { BASE, BASELINE } from './transfer.ts';

const DIFF = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--no-commit-id', '--end-of-options'];
const RAW = /^:(\d{6}) \d{6} ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/;

interface StateChange {
  /** Has one character per byte. */
  readonly path: string;
  /** The previous entry in the format of `update-index --index-info`; null if there was none. */
  readonly before: string | null;
  readonly nothing: string;
}

async function stateChanges(
  git: RunGit,
  place: GitLocation,
  from: string,
  to: string,
): Promise<readonly StateChange[]> {
  if (from === to) return [];
  const fields = splitZ(await git.ok(place, [...DIFF, objectId(from), objectId(to), '--'], { bytes: true }));
  return fields.flatMap((line, at) => {
    const path = fields[at + 1] ?? '';
    const [, mode = '', id = ''] = (at % 2 === 0 ? RAW.exec(line) : null) ?? [];
    if (mode === '' || !isStatePath(shownPath(path))) return [];
    const before = mode === '000000' ? null : `${mode} ${id}\t${path}\0`;
    return [{ path, before, nothing: `0 ${'0'.repeat(id.length)}\t${path}\0` }];
  });
}

/** The tree `now` of the index of `place`, with the state of Autonomous as in the tree `before`; and the paths left out. */
export async function withoutState(
  git: RunGit,
  place: GitLocation,
  before: string,
  now: string,
): Promise<{ readonly tree: string; readonly left: readonly string[] }> {
  const changes = await stateChanges(git, place, before, now);
  if (changes.length === 0) return { tree: now, left: [] };
  // all deletions come first: a file may replace a folder
  const input = [...changes.map(({ nothing }) => nothing), ...changes.map((change) => change.before ?? '')].join('');
  await git.ok(place, ['update-index', '-z', '--index-info'], { input, bytes: true });
  return { tree: (await git.ok(place, ['write-tree'])).trim(), left: changes.map(({ path }) => shownPath(path)) };
}

/** Paths of state of Autonomous that this commit of a job changes, compared with its base. */
export async function stateIn(git: RunGit, tree: JobTree, commit: string): Promise<readonly string[]> {
  const place = await requireCommits(tree);
  const baseline = (await git.ok(place, ['rev-parse', '--verify', BASELINE])).trim();
  const changed = async (from: string) => (await stateChanges(git, place, from, commit)).map(({ path }) => path);
  const ours = await changed(baseline);
  if (ours.length === 0) return ours;
  const met = await git.run(place, ['merge-base', BASE, objectId(commit)]);
  if (met.code !== 0) return ours.map(shownPath);
  // changes of a later base of the user belong to the user
  const later = new Set(await changed(met.stdout.trim()));
  return ours.filter((path) => later.has(path)).map(shownPath);
}
