/** Compares two listings of the files that git ignores in a clone: after the setup, and now. They are in no commit and no diff. */

export interface IgnoredFile {
  readonly path: string;
  /** Size and time of the last change, as one text: no program without special rights can set that time. */
  readonly stamp: string;
}

/** Changes below one top folder, or below one folder that tools write into. */
export interface IgnoredGroup {
  readonly folder: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Some of the paths, those of the setup first. */
  readonly examples: readonly string[];
}

const MAX_GROUPS = 10;
const MAX_EXAMPLES = 5;
/** Folders where test runners and compilers leave caches and reports. Nothing runs from there. */
const BY_TOOLS: ReadonlySet<string> = new Set([
  'coverage',
  '.nyc_output',
  '.cache',
  '.vite',
  '.tap',
  '.turbo',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '__pycache__',
]);

type Kind = 'added' | 'changed' | 'removed';

export function ignoredChanges(before: readonly IgnoredFile[], now: readonly IgnoredFile[]): readonly IgnoredGroup[] {
  const old = new Map(before.map(({ path, stamp }) => [path, stamp]));
  const left = new Map(now.map(({ path, stamp }) => [path, stamp]));
  const changes: { path: string; kind: Kind }[] = [];
  for (const [path, stamp] of left) {
    const was = old.get(path);
    if (was !== stamp) changes.push({ path, kind: was === undefined ? 'added' : 'changed' });
  }
  for (const path of old.keys()) if (!left.has(path)) changes.push({ path, kind: 'removed' });
  const byFolder = Map.groupBy(changes, ({ path }) => folderOf(path));
  return [...byFolder].map(([folder, all]) => groupOf(folder, all)).sort((a, b) => weight(b) - weight(a));
}

function folderOf(path: string): string {
  const names = path.split('/');
  const tool = names.slice(0, -1).findIndex((name) => BY_TOOLS.has(name));
  return names.slice(0, tool + 1 || 1).join('/');
}

/** Whether the group is only new output of tools. */
const isByTools = ({ folder, changed, removed, examples }: IgnoredGroup): boolean =>
  changed + removed === 0 && BY_TOOLS.has(folder.slice(folder.lastIndexOf('/') + 1)) && !examples.includes(folder);

/** Changed files of the setup come before new files: caches and build results are new. */
const weight = ({ added, changed, removed }: IgnoredGroup): number => (changed + removed) * 1e9 + added;

function groupOf(folder: string, changes: readonly { readonly path: string; readonly kind: Kind }[]): IgnoredGroup {
  const count = (kind: Kind): number => changes.filter((one) => one.kind === kind).length;
  const order: readonly Kind[] = ['changed', 'removed', 'added'];
  const sorted = order.flatMap((kind) => changes.filter((one) => one.kind === kind).map(({ path }) => path));
  return {
    folder,
    added: count('added'),
    changed: count('changed'),
    removed: count('removed'),
    examples: sorted.slice(0, MAX_EXAMPLES),
  };
}

/** Text for the reviewer, the gate and a worker. Empty if nothing changed. `groups` is null if there is no earlier listing. */
export function ignoredText(groups: readonly IgnoredGroup[] | null): string {
  if (groups === null) return 'Changes of files that git ignores are not known for this job.';
  if (groups.length === 0) return '';
  const others = groups.filter((group) => !isByTools(group));
  const lines = others.slice(0, MAX_GROUPS).map(({ folder, examples, ...counts }) => {
    const parts = (['changed', 'removed', 'added'] as const).flatMap((kind) =>
      counts[kind] === 0 ? [] : [`${counts[kind]} ${kind}`],
    );
    const more = counts.changed + counts.removed + counts.added - examples.length;
    const named = examples.map((path) => JSON.stringify(path)).join(', ');
    return `- ${JSON.stringify(folder)}: ${parts.join(', ')}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
  });
  if (others.length > MAX_GROUPS) lines.push(`- ${others.length - MAX_GROUPS} more folders and files`);
  const byTools = groups.filter(isByTools);
  if (byTools.length > 0) {
    const named = byTools.slice(0, MAX_GROUPS).map(({ folder, added }) => `${JSON.stringify(folder)} (${added})`);
    const more = byTools.length > MAX_GROUPS ? ` and ${byTools.length - MAX_GROUPS} more` : '';
    lines.push(`- new caches and reports of tools: ${named.join(', ')}${more}`);
  }
  return `Files that git ignores, changed in the clone since its setup (in no commit and no diff):\n${lines.join('\n')}`;
}
