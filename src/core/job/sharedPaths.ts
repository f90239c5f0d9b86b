/** Compares the paths that the plan expects features to change. Two features that share one do not start beside each other. */
import type { FeatureRow } from '../../shared/job/rows.ts';

/** The segments of a path of a plan. A pattern counts as its folder: `./src/*.ts` is `src`. */
function segments(path: string): string[] {
  const all = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const pattern = all.findIndex((part) => /[*?[{]/.test(part));
  return pattern === -1 ? all : all.slice(0, pattern);
}

const contains = (folder: readonly string[], path: readonly string[]): boolean =>
  folder.every((part, index) => part === path[index]);

/** The segments of each list of paths. They are kept, because a plan is compared at every event. */
const known = new WeakMap<readonly string[], readonly (readonly string[])[]>();

function segmentsOf({ paths }: Pick<FeatureRow, 'paths'>): readonly (readonly string[])[] {
  const all = known.get(paths) ?? paths.map(segments);
  known.set(paths, all);
  return all;
}

/** The first path of `a` that is one of `b`, or whose folder or content is. Null if they share none. */
export function sharedPath(a: Pick<FeatureRow, 'paths'>, b: Pick<FeatureRow, 'paths'>): string | null {
  const others = segmentsOf(b);
  const index = segmentsOf(a).findIndex((own) => others.some((other) => contains(own, other) || contains(other, own)));
  return index === -1 ? null : (a.paths[index] ?? null);
}
