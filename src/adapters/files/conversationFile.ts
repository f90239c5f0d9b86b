/**
 * Implements `ConversationJournal` as `session/current.jsonl`: one file that several owners write after each other. A
 * line is `{project, epoch, n, kind, upTo, entry, mac}`; `n` counts the entries of the conversation over all its files,
 * `upTo` is the highest message id so far. An entry with an `n` that already exists replaces it and all later ones; a
 * line of an older owner after a newer one's is void. Compaction renames the file to `<time>.jsonl` and starts a new
 * one, prepared as `next.<epoch>.jsonl`: a kill in between is completed at the next opening.
 */
import { join } from 'node:path';
import type { ConversationJournal } from '../../engine/project/talk/conversationPorts.ts';
import type { TranscriptEntry } from '../../engine/session/ports.ts';
import { diskFailure } from '../../engine/state/filePorts.ts';
import type { AppendFile, FileOps, LineSeal, Problem } from '../../engine/state/storePorts.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';

export interface ConversationFileOptions {
  /** Path of the folder `session`. */
  readonly folder: string;
  readonly projectId: string;
  /** Epoch of the writing owner. */
  readonly epoch: number;
  readonly ops: FileOps;
  readonly seal: LineSeal;
  readonly clock: Clock;
}

const CURRENT = 'current.jsonl';
const NEXT = /^next\.(\d+)\.jsonl$/;
const HEAD = /^\{"project":"([a-z0-9-]+)","epoch":(\d+),"n":(\d+),"kind":"([a-z]+)","upTo":(\d+),"entry":/;
const HEAD_BYTES = 200;
const NEWLINE = 10;

interface Line {
  readonly n: number;
  readonly epoch: number;
  readonly kind: string;
  readonly upTo: number;
  readonly bytes: Uint8Array;
}

interface Read {
  /** `n` rises by one from line to line; anything else is a problem. */
  readonly lines: Line[];
  readonly problems: Problem[];
  /** Whether the last byte ends a line. */
  readonly whole: boolean;
}

function lineOf(
  bytes: Uint8Array,
  { projectId, seal }: Pick<ConversationFileOptions, 'projectId' | 'seal'>,
): Line | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(HEAD_BYTES, bytes.length)).toString('latin1');
  const head = HEAD.exec(start);
  if (head === null || head[1] !== projectId || seal.check(bytes) === null) return null;
  const [, , epoch, n, kind = '', upTo] = head;
  return { n: Number(n), epoch: Number(epoch), kind, upTo: Number(upTo), bytes };
}

/** Bytes that are read to find the last line without the rest. */
const END_BYTES = 64 * 1024;

/**
 * The last entry of a conversation, without opening it. Null if there is no entry, or if its line is torn, damaged or
 * too long. Throws the errors of reading.
 */
export async function lastEntry(
  options: Pick<ConversationFileOptions, 'folder' | 'projectId' | 'ops' | 'seal'>,
): Promise<TranscriptEntry | null> {
  const end = await options.ops.readEnd(join(options.folder, CURRENT), END_BYTES);
  if (end?.at(-1) !== NEWLINE) return null;
  const line = lineOf(end.subarray(end.lastIndexOf(NEWLINE, -2) + 1, -1), options);
  return line === null ? null : parsed(line);
}

/** Problems reported for one file; the others are only counted. */
const TOLD = 20;

function readLines(file: string, bytes: Uint8Array, options: ConversationFileOptions): Read {
  const lines: Line[] = [];
  const problems: Problem[] = [];
  let untold = 0;
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    const text = bytes.subarray(start, end === -1 ? bytes.length : end);
    start = end === -1 ? bytes.length : end + 1;
    number++;
    if (text.length === 0) continue;
    const problem = (what: string): void => {
      if (problems.length < TOLD) problems.push({ file, line: number, what });
      else untold++;
    };
    const found = lineOf(text, options);
    if (found === null) problem(end === -1 ? 'unfinished line' : 'damaged line');
    else take(lines, found, problem);
  }
  if (untold > 0) problems.push({ file, line: null, what: `${untold} more lines that were left out` });
  return { lines, problems, whole: bytes.length === 0 || bytes.at(-1) === NEWLINE };
}

function take(lines: Line[], found: Line, problem: (what: string) => void): void {
  if (found.epoch < (lines.at(-1)?.epoch ?? 0)) {
    problem('line of an owner that was superseded');
    return;
  }
  while ((lines.at(-1)?.n ?? 0) >= found.n) lines.pop();
  const last = lines.at(-1)?.n;
  if (last !== undefined && found.n > last + 1) problem(`entries ${last + 1} to ${found.n - 1} are missing before it`);
  lines.push(found);
}

/** Entries from the last opening or compaction; earlier lines are not parsed as JSON. */
function entriesOf(lines: readonly Line[]): TranscriptEntry[] {
  const shortened = lines.findLastIndex((line) => line.kind === 'compacted');
  const opening = lines.findLastIndex((line) => line.kind === 'opening');
  const spec = lines.findLastIndex((line, index) => line.kind === 'spec' && index < shortened);
  const first = Math.max(0, opening);
  const kept =
    shortened > first
      ? [lines[first], ...(spec > first ? [lines[spec]] : []), ...lines.slice(shortened)]
      : lines.slice(first);
  return kept.flatMap((line) => (line === undefined ? [] : [parsed(line)]));
}

function parsed({ bytes }: Line): TranscriptEntry {
  return (JSON.parse(Buffer.from(bytes).toString('utf8')) as { readonly entry: TranscriptEntry }).entry;
}

export async function openConversation(options: ConversationFileOptions): Promise<ConversationJournal> {
  const { ops, folder } = options;
  const kind = (await ops.stat(folder))?.kind;
  if (kind !== undefined && kind !== 'folder') {
    throw failure('STATE_DAMAGED', `${folder} is not a folder`, { hint: 'Move it away.', details: { folder } });
  }
  return new Journal(options, await openedLines(options));
}

async function openedLines(options: ConversationFileOptions): Promise<Read> {
  await finishRestart(options);
  return (await readFile(CURRENT, options)) ?? { lines: [], problems: [], whole: true };
}

/** Returns null if the file does not exist. Throws STATE_DAMAGED if it is not a plain file. */
async function readFile(name: string, options: ConversationFileOptions): Promise<Read | null> {
  const path = join(options.folder, name);
  const stat = await options.ops.stat(path);
  if (stat === null) return null;
  if (stat.kind !== 'file') {
    throw failure('STATE_DAMAGED', `${path} is not a plain file`, { hint: 'Move it away.', details: { path } });
  }
  return readLines(name, (await options.ops.read(path)) ?? new Uint8Array(), options);
}

/** A new file that is complete and continues the current one replaces it; any other is dropped. */
async function finishRestart(options: ConversationFileOptions): Promise<void> {
  const { ops, folder } = options;
  const prepared = (await ops.list(folder)).filter((name) => NEXT.test(name));
  const newestFirst = prepared.sort((a, b) => Number(NEXT.exec(b)?.[1]) - Number(NEXT.exec(a)?.[1]));
  let finished = false;
  for (const name of newestFirst) {
    const next = finished ? null : await readFile(name, options);
    const current = await readFile(CURRENT, options);
    const goesOn = current === null || current.lines.at(-1)?.n === (next?.lines[0]?.n ?? Number.NaN) - 1;
    if (next !== null && isWhole(next) && goesOn) {
      await replaceCurrent(options, name, current !== null);
      finished = true;
    } else {
      await ops.remove(join(folder, name));
    }
  }
}

/** Its last line marks it as complete. */
function isWhole(next: Read): boolean {
  return next.whole && next.problems.length === 0 && next.lines.at(-1)?.kind === 'compacted';
}

async function replaceCurrent(options: ConversationFileOptions, next: string, keep: boolean): Promise<void> {
  const { ops, folder, clock } = options;
  if (keep) {
    const dated = `${isoTime(clock).replaceAll(':', '-')}`;
    const taken = new Set(await ops.list(folder));
    let name = `${dated}.jsonl`;
    for (let part = 2; taken.has(name); part++) name = `${dated}.${part}.jsonl`;
    await ops.rename(join(folder, CURRENT), join(folder, name));
  }
  await ops.rename(join(folder, next), join(folder, CURRENT));
  await ops.syncDir(folder);
}

function highestIn(entry: TranscriptEntry, before: number): number {
  const holds = entry.kind === 'opening' || entry.kind === 'user' || entry.kind === 'results';
  const ids = holds ? (entry.messages ?? []) : [];
  const upTo = entry.kind === 'compacted' ? (entry.upTo ?? 0) : 0;
  return Math.max(before, upTo, ...ids);
}

class Journal implements ConversationJournal {
  entries: TranscriptEntry[] = [];
  readonly problems: readonly Problem[];
  readonly #options: ConversationFileOptions;
  #last = 0;
  #heldUpTo = 0;
  /** The file may end with half a line: the next one starts with a line break. */
  #torn = false;
  /** Compaction failed halfway: the current file is unknown until the folder is read again. */
  #unsure = false;
  #file: AppendFile | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ConversationFileOptions, read: Read) {
    this.#options = options;
    this.problems = read.problems;
    this.#take(read);
  }

  get heldUpTo(): number {
    return this.#heldUpTo;
  }

  append(entry: TranscriptEntry): Promise<void> {
    return this.#inTurn(() => this.#write(entry));
  }

  restart(entries: readonly TranscriptEntry[]): Promise<void> {
    return this.#inTurn(() => this.#restart(entries));
  }

  /** The next write runs even if this one failed; the failure goes to its own caller. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(() => this.#readAgain()).then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #take({ lines, whole }: Read): void {
    this.entries = entriesOf(lines);
    this.#last = lines.at(-1)?.n ?? 0;
    this.#heldUpTo = lines.at(-1)?.upTo ?? 0;
    this.#torn = !whole;
  }

  async #readAgain(): Promise<void> {
    if (!this.#unsure) return;
    this.#take(await openedLines(this.#options));
    this.#unsure = false;
  }

  #line(entry: TranscriptEntry, n: number, upTo: number): string {
    const { projectId: project, epoch, seal } = this.#options;
    return `${seal.seal(JSON.stringify({ project, epoch, n, kind: entry.kind, upTo, entry })).line}\n`;
  }

  async #write(entry: TranscriptEntry): Promise<void> {
    const upTo = highestIn(entry, this.#heldUpTo);
    const line = this.#line(entry, this.#last + 1, upTo);
    const data = Buffer.from(this.#torn ? `\n${line}` : line);
    try {
      this.#file ??= await this.#open();
      for (let done = 0; done < data.length; ) {
        const written = await this.#file.write(data.subarray(done));
        if (written === 0) throw new Error('nothing was written');
        done += written;
      }
      await this.#file.sync();
    } catch (thrown) {
      this.#torn = true;
      await this.close().catch(() => undefined);
      throw this.#disk(CURRENT, thrown);
    }
    this.#torn = false;
    this.#last++;
    this.#heldUpTo = upTo;
    this.entries.push(entry);
  }

  async #open(): Promise<AppendFile> {
    const { ops, folder } = this.#options;
    await ops.makeDir(folder);
    const file = await ops.openAppend(join(folder, CURRENT));
    await ops.syncDir(folder);
    return file;
  }

  async #restart(entries: readonly TranscriptEntry[]): Promise<void> {
    const { ops, folder, epoch } = this.#options;
    if (entries.at(-1)?.kind !== 'compacted')
      throw new Error('the entries of a new conversation file must end with a compacted one');
    const name = `next.${epoch}.jsonl`;
    let upTo = this.#heldUpTo;
    const lines = entries.map((entry, index) => {
      upTo = highestIn(entry, upTo);
      return this.#line(entry, this.#last + 1 + index, upTo);
    });
    try {
      await this.close();
      await ops.makeDir(folder);
      await ops.remove(join(folder, name));
      if (!(await ops.create(join(folder, name), Buffer.from(lines.join(''))))) throw new Error(`${name} is taken`);
      await ops.syncDir(folder);
      await replaceCurrent(this.#options, name, (await ops.stat(join(folder, CURRENT))) !== null);
    } catch (thrown) {
      this.#unsure = true;
      throw this.#disk(name, thrown);
    }
    this.#last += entries.length;
    this.#heldUpTo = upTo;
    this.#torn = false;
    this.entries = [...entries];
  }

  #disk(name: string, thrown: unknown): unknown {
    return diskFailure(thrown, join(this.#options.folder, name));
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }
}
