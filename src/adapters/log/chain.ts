/**
 * Decides which lines count. The newest segment counts completely; its header names the line that it continues, up to
 * which that line's segment counts, and so on back to the first. All other lines are void: those that an owner wrote
 * after its successor had read, and the remains of a failed write.
 */
import type { LogPoint, Problem } from '../../engine/state/storePorts.ts';
import { follows, type Line, NOTHING, type Segment, type SegmentName } from './segment.ts';

export interface Link {
  readonly segment: Segment;
  readonly lines: readonly Line[];
}

export interface Chain {
  /** Oldest first. */
  readonly links: readonly Link[];
  readonly continues: boolean;
  readonly end: LogPoint | null;
  readonly problems: readonly Problem[];
}

type Load = (name: SegmentName) => Promise<Segment>;

const isOurs = (segment: Segment) => segment.after !== null || segment.lines.length > 0;
const pointOf = (line: Line): LogPoint => ({ epoch: line.event.epoch, seq: line.event.seq, mac: line.mac });

/** The event that a segment continues, derived from its first line if the header is missing. */
function continuedBy(segment: Segment): LogPoint {
  if (segment.after !== null) return segment.after;
  const first = segment.lines[0];
  return first === undefined ? NOTHING : { epoch: 0, seq: first.event.seq - 1, mac: '' };
}

interface Found {
  readonly index: number;
  readonly segment: Segment;
}

/** The segment below `index` that contains a line; if that line is damaged, the segment that should contain it. */
async function findHolder(
  names: readonly SegmentName[],
  index: number,
  point: LogPoint,
  load: Load,
): Promise<Found | null> {
  const anyEpoch = point.epoch === 0;
  let probable: Found | null = null;
  for (let at = index - 1; at >= 0; at--) {
    const name = names[at];
    if (name === undefined || (!anyEpoch && name.epoch > point.epoch)) continue;
    if (!anyEpoch && name.epoch < point.epoch && probable !== null) break;
    const segment = await load(name);
    const begins = continuedBy(segment);
    if (!isOurs(segment) || begins.seq >= point.seq) continue;
    const line = segment.lines.find(({ event }) => event.seq === point.seq);
    if (line !== undefined && (anyEpoch || line.mac === point.mac)) return { index: at, segment };
    if (line === undefined) probable ??= { index: at, segment };
  }
  return probable;
}

function gaps(links: readonly Link[]): Problem[] {
  const problems: Problem[] = [];
  let seq = links[0] === undefined ? 0 : continuedBy(links[0].segment).seq;
  for (const { segment, lines } of links) {
    const file = segment.file;
    if (segment.after === null) problems.push({ file, line: 1, what: 'the header is missing' });
    let mac = segment.partial ? '' : (segment.headerMac ?? '');
    if (segment.partial) seq = (lines[0]?.event.seq ?? seq + 1) - 1;
    for (const line of lines) {
      if (line.event.seq > seq + 1 && line.event.type !== 'state_restored') {
        problems.push({
          file,
          line: line.number,
          what: `events ${seq + 1} to ${line.event.seq - 1} are missing before it`,
        });
      } else if (mac !== '' && !follows(line, mac)) {
        problems.push({ file, line: line.number, what: 'it does not follow the line before it' });
      }
      seq = line.event.seq;
      mac = line.mac;
    }
  }
  return problems;
}

function lastPoint(links: readonly Link[]): LogPoint | null {
  const newest = links.at(-1);
  if (newest === undefined) return null;
  const line = newest.lines.at(-1);
  if (line !== undefined) return pointOf(line);
  const after = newest.segment.after;
  return after === null || after.seq === 0 ? null : after;
}

/** Whether the chain, followed down to a segment, contains the given line. */
function passes(link: Link, after: LogPoint): boolean {
  const begins = continuedBy(link.segment);
  if (begins.seq === after.seq) return begins.mac === '' || begins.mac === after.mac;
  return link.lines.every((line) => line.event.seq !== after.seq || line.mac === after.mac);
}

/** Reads only the segments with lines after the given one. */
export async function walk(names: readonly SegmentName[], load: Load, after: LogPoint | null): Promise<Chain> {
  const links: Link[] = [];
  const problems: Problem[] = [];
  const goal = after ?? NOTHING;
  let index = names.length;
  let upTo: LogPoint | null = null;
  let complete = goal.seq === 0;
  for (;;) {
    const found: Found | null =
      upTo === null ? await newestOurs(names, index, load) : await findHolder(names, index, upTo, load);
    if (found === null) {
      if (upTo !== null) problems.push({ file: 'events', line: null, what: `events up to ${upTo.seq} are missing` });
      break;
    }
    const limit = upTo?.seq ?? Number.POSITIVE_INFINITY;
    const link = { segment: found.segment, lines: found.segment.lines.filter((line) => line.event.seq <= limit) };
    links.unshift(link);
    const begins = continuedBy(found.segment);
    if (begins.seq <= goal.seq) {
      complete = passes(link, goal);
      break;
    }
    index = found.index;
    upTo = begins;
  }
  const end = lastPoint(links);
  const counting = links.map((link) => ({ ...link, lines: link.lines.filter((line) => line.event.seq > goal.seq) }));
  if (end !== null && end.seq < goal.seq) complete = false;
  return { links: counting, continues: complete, end, problems: [...problems, ...gaps(links)] };
}

/** The chain up to an event. `end` is null if no line is left. */
export function cutAt(chain: Chain, seq: number): Chain {
  if (chain.end === null || chain.end.seq <= seq) return chain;
  const links = chain.links.map((link) => ({ ...link, lines: link.lines.filter(({ event }) => event.seq <= seq) }));
  const last = links.flatMap(({ lines }) => lines).at(-1);
  return { ...chain, links, end: last === undefined ? null : pointOf(last) };
}

async function newestOurs(names: readonly SegmentName[], below: number, load: Load): Promise<Found | null> {
  for (let index = below - 1; index >= 0; index--) {
    const name = names[index];
    const segment = name && (await load(name));
    if (segment && isOurs(segment)) return { index, segment };
  }
  return null;
}
