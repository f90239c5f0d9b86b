/** Reads the log's files for a proof, sharing nothing with the code that writes them: which lines count is worked out here anew. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../../src/shared/workspace/events.ts';

/** An event as its line has it. */
export type Logged = Event & { readonly mac: string; readonly prev: string };

interface Point {
  readonly epoch: number;
  readonly seq: number;
  readonly mac: string;
}

interface Segment {
  readonly after: Point;
  readonly events: readonly Logged[];
}

/** Whole lines; what a killed process left of its last one is none. */
export function wholeLines(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

function segmentOf(text: string): Segment | null {
  const lines = wholeLines(text).flatMap((line) => {
    try {
      return [JSON.parse(line) as Logged | { readonly after: Point }];
    } catch {
      return []; // torn, then written on by nobody
    }
  });
  const [header] = lines;
  if (header === undefined || !('after' in header)) return null;
  return { after: header.after, events: lines.filter((line): line is Logged => 'type' in line) };
}

/** The newest segment counts whole, the one that it continues up to there, and so on; oldest event first. */
export function eventsIn(stateDir: string): Logged[] {
  const folder = join(stateDir, 'events');
  if (!existsSync(folder)) return [];
  const byNumbers = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
  const names = readdirSync(folder).toSorted(byNumbers);
  const segments = names.flatMap((name) => segmentOf(readFileSync(join(folder, name), 'utf8')) ?? []);
  const parts: (readonly Logged[])[] = [];
  let end: Point | null = null;
  for (const { after, events } of segments.reverse()) {
    const last: Point | null = end;
    const upTo = last === null ? events.length : events.findIndex(({ mac }) => mac === last.mac) + 1;
    if (upTo === 0 && (last === null || last.mac !== after.mac)) continue;
    parts.unshift(events.slice(0, upTo));
    end = after;
  }
  return parts.flat();
}
