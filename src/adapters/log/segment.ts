/**
 * Parses one segment of the log: `<epoch>-<n>.jsonl`. Its first line is the header, every other an event; each ends in
 * its mac and names the line before it, so that each can be checked alone and a missing one is detected.
 */
import { parseJson } from '../../core/text/json.ts';
import type { LineSeal, LogPoint, Problem } from '../../engine/state/storePorts.ts';
import type { Event } from '../../shared/workspace/events.ts';

export const LOG_VERSION = 1;
/** Problem of a line that was being written when its process was killed. */
export const UNFINISHED = 'unfinished line';
const PREV_DIGITS = 16;
const NEWLINE = 10;
const NAME = /^([1-9]\d{0,8})-([1-9]\d{0,8})\.jsonl$/;

export interface SegmentName {
  readonly file: string;
  readonly epoch: number;
  readonly n: number;
}

export interface Line {
  readonly number: number;
  readonly mac: string;
  readonly prev: string;
  readonly event: Event;
}

export interface Segment extends SegmentName {
  /**
   * The event that this segment continues: later events of earlier segments are void. Null if the header is missing or
   * damaged.
   */
  readonly after: LogPoint | null;
  readonly headerMac: string | null;
  /** Version in the header. A version above the current one was written by a newer version of Autonomous. */
  readonly version: number | null;
  readonly lines: readonly Line[];
  /** Whether lines before the first of `lines` were not read. */
  readonly partial: boolean;
  /** Whether a well-formed line has an invalid seal. */
  readonly refused: boolean;
  readonly problems: readonly Problem[];
}

export const NOTHING: LogPoint = { epoch: 0, seq: 0, mac: '' };

export function segmentFile(epoch: number, n: number): string {
  return `${epoch}-${n}.jsonl`;
}

/** The segments among some file names, oldest first. */
export function segmentNames(files: readonly string[]): SegmentName[] {
  return files
    .flatMap((file): SegmentName[] => {
      const match = NAME.exec(file);
      return match === null ? [] : [{ file, epoch: Number(match[1]), n: Number(match[2]) }];
    })
    .sort((a, b) => a.epoch - b.epoch || a.n - b.n);
}

interface Header {
  readonly v: number;
  readonly epoch: number;
  readonly n: number;
  readonly after: LogPoint;
}

/** A newer version's header may have other fields. */
type FoundHeader = Partial<Header> & { readonly v: number; readonly mac: string };

export function sealHeader(seal: LineSeal, name: SegmentName, after: LogPoint): { line: string; mac: string } {
  const header: Header = { v: LOG_VERSION, epoch: name.epoch, n: name.n, after };
  return seal.seal(JSON.stringify(header));
}

export function sealEvent(seal: LineSeal, event: Event, before: string): { line: string; mac: string } {
  return seal.seal(JSON.stringify({ ...event, prev: before.slice(0, PREV_DIGITS) }));
}

export function follows(line: Line, before: string): boolean {
  return line.prev === before.slice(0, PREV_DIGITS);
}

interface RawLine {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly ended: boolean;
}

function linesOf(bytes: Uint8Array): RawLine[] {
  const lines: RawLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    const stop = end === -1 ? bytes.length : end;
    lines.push({ number: lines.length + 1, bytes: bytes.subarray(start, stop), ended: end !== -1 });
    start = stop + 1;
  }
  return lines;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parse(bytes: Uint8Array): Record<string, unknown> | null {
  const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  return isRecord(value) ? value : null;
}

function isPoint(value: unknown): value is LogPoint {
  return (
    isRecord(value) &&
    Number.isInteger(value['epoch']) &&
    Number.isInteger(value['seq']) &&
    typeof value['mac'] === 'string'
  );
}

function asHeader(value: Record<string, unknown>, name: SegmentName, mac: string): FoundHeader | null {
  const { v, epoch, n, after } = value;
  if (typeof v !== 'number' || epoch !== name.epoch || n !== name.n) return null;
  return { v, mac, ...(isPoint(after) ? { after } : {}) };
}

function asEvent(value: Record<string, unknown>, name: SegmentName): { event: Event; prev: string } | null {
  const { prev, mac: _mac, ...event } = value;
  const { seq, epoch, type, at } = event;
  if (typeof prev !== 'string' || typeof type !== 'string' || typeof at !== 'string') return null;
  if (!Number.isSafeInteger(seq) || epoch !== name.epoch) return null;
  return { event: event as unknown as Event, prev };
}

type Check = Pick<LineSeal, 'check'>;

/**
 * Skips lines if only events after `seq` are wanted: searches from the end back to the first line that is not after
 * `seq`.
 */
function wanted(raw: readonly RawLine[], name: SegmentName, seal: Check, seq: number): readonly RawLine[] {
  if (seq === 0) return raw;
  for (let index = raw.length - 1; index > 1; index--) {
    const line = raw[index];
    const value = line !== undefined && seal.check(line.bytes) !== null ? parse(line.bytes) : null;
    const parsed = value && asEvent(value, name);
    if (parsed !== null && parsed.event.seq <= seq) return [...raw.slice(0, 1), ...raw.slice(index)];
  }
  return raw;
}

/** Reads every valid line, whatever is wrong with the others. Of the lines up to `seq`, one is enough. */
export function parseSegment(name: SegmentName, bytes: Uint8Array, seal: Check, seq = 0): Segment {
  const all = linesOf(bytes);
  const raw = wanted(all, name, seal, seq);
  const problems: Problem[] = [];
  const lines: Line[] = [];
  let header: FoundHeader | null = null;
  let refused = false;
  let last = 0;
  for (const { number, bytes: text, ended } of raw) {
    const problem = (what: string) => problems.push({ file: name.file, line: number, what });
    const mac = seal.check(text);
    const value = mac === null ? null : parse(text);
    if (mac === null || value === null) {
      refused ||= ended && isSealedForm(text);
      problem(ended ? 'damaged line' : UNFINISHED);
      continue;
    }
    if (typeof value['v'] === 'number') {
      if (number === 1) header = asHeader(value, name, mac);
      if (header === null) problem('a header that belongs elsewhere');
      continue;
    }
    const parsed = asEvent(value, name);
    if (parsed === null || parsed.event.seq <= last) {
      problem('a line that belongs elsewhere');
      continue;
    }
    last = parsed.event.seq;
    lines.push({ number, mac, ...parsed });
  }
  return {
    ...name,
    after: header?.after ?? null,
    headerMac: header?.mac ?? null,
    version: header?.v ?? null,
    lines,
    partial: raw.length < all.length,
    refused,
    problems,
  };
}

function isSealedForm(text: Uint8Array): boolean {
  const value = parse(text);
  return value !== null && typeof value['mac'] === 'string';
}
