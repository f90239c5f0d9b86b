/**
 * What an owner at rest holds beyond what a new one over the same state does: what of it is no state is a leak, or a store that never
 * lets go.
 */
import { MOST_GROWTH, MOST_MORE } from './soakJudgement.ts';
import type { ThreadSample } from './soakPreload.ts';

/** One owner, all of its work done. */
export interface AtRest {
  readonly pid: number;
  /** Signals of this process since it came to rest. */
  readonly nths: readonly number[];
  readonly descriptors: number;
  readonly rssBytes: number;
}

export interface Compared {
  readonly name: string;
  readonly value: number;
  readonly unit: '%' | '' | 'MB';
  /** null: only shown. */
  readonly limit: number | null;
  readonly broken: boolean;
}

const OF_OWNER = '';

/** The least of what each thread said, by its name: what is being collected counts nothing. */
function heapsAtRest(lines: readonly ThreadSample[], { pid, nths }: AtRest): ReadonlyMap<string, number> {
  const heaps = new Map<string, number>();
  for (const { thread, heapBytes } of lines.filter((line) => line.pid === pid && nths.includes(line.nth)))
    heaps.set(thread, Math.min(heapBytes, heaps.get(thread) ?? Number.POSITIVE_INFINITY));
  return heaps;
}

/** Of the threads those count that both have, all together. */
export function beyondNew(lines: readonly ThreadSample[], old: AtRest, fresh: AtRest): Compared[] {
  const [before, after] = [heapsAtRest(lines, old), heapsAtRest(lines, fresh)];
  const both = [...before.keys()].filter((name) => after.has(name));
  const heap = (what: string, names: readonly string[]): Compared[] => {
    const sum = (heaps: ReadonlyMap<string, number>): number =>
      names.reduce((all, name) => all + (heaps.get(name) ?? 0), 0);
    return names.length === 0 ? [] : [beyond(what, '%', (sum(before) / sum(after) - 1) * 100, MOST_GROWTH)];
  };
  return [
    ...heap(
      'heap of the owner',
      both.filter((name) => name === OF_OWNER),
    ),
    ...heap(
      'heap of a worker thread',
      both.filter((name) => name !== OF_OWNER),
    ),
    beyond('open file descriptors', '', old.descriptors - fresh.descriptors, MOST_MORE),
    beyond('memory of the process (RSS)', 'MB', (old.rssBytes - fresh.rssBytes) / 1e6, null),
  ];
}

function beyond(what: string, unit: Compared['unit'], value: number, limit: number | null): Compared {
  const name = `${what} at rest at the end, beyond that of a new owner of the same state`;
  return { name, value: Math.max(0, value), unit, limit, broken: limit !== null && value > limit };
}
