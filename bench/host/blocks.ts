/** What a CPU profile says of one program's share. */
import type { Profiler } from 'node:inspector';
import { basename } from 'node:path';
import type { Profile } from './shared.ts';

interface Frame {
  readonly ours: boolean;
  readonly collects: boolean;
  readonly name: string;
}

/** By node: whether it, or anything that called it, is ours. */
function frames(nodes: readonly Profiler.ProfileNode[], ours: RegExp): ReadonlyMap<number, Frame> {
  const parents = new Map<number, number>();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node.id);
  const known = new Map<number, Frame>();
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    const parent = known.get(parents.get(id) ?? -1);
    const own = ours.test(callFrame.url);
    known.set(id, {
      ours: own || parent?.ours === true,
      collects: callFrame.functionName === '(garbage collector)',
      name: own ? `${callFrame.functionName || 'a module'} ${basename(callFrame.url)}` : (parent?.name ?? ''),
    });
  }
  return known;
}

export function blocks({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, ours: RegExp): Profile {
  const known = frames(nodes, ours);
  let [oursMs, longestMs, run] = [0, 0, 0];
  let where = '';
  let names = new Map<string, number>();
  samples.forEach((id, at) => {
    // A sample stands for the time until the next one.
    const ms = (timeDeltas[at + 1] ?? 0) / 1000;
    const frame = known.get(id);
    if (frame?.ours !== true && !(run > 0 && frame?.collects === true)) {
      run = 0;
      names = new Map();
      return;
    }
    oursMs += ms;
    run += ms;
    const name = frame.ours ? frame.name : 'collecting garbage';
    names.set(name, (names.get(name) ?? 0) + ms);
    if (run <= longestMs) return;
    longestMs = run;
    where = [...names]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 4)
      .map(([name, spent]) => `${name} ${Math.round(spent)} ms`)
      .join(', ');
  });
  return { oursMs, longestMs, where };
}
