/**
 * Implements `Transcript` as files `.autonomous/sessions/<id>.<epoch>.jsonl`, one writer each. A line is `{session,
 * epoch, n, entry, mac}`; `n` counts a session's entries over all its files. An entry with an `n` that already exists
 * replaces it and all later ones: so a new owner, or a writer whose last write failed, continues from the entries that
 * it knows.
 */
import { join } from 'node:path';
import type { Transcript, TranscriptEntry } from '../../engine/session/ports.ts';
import { diskFailure } from '../../engine/state/filePorts.ts';
import type { AppendFile, FileOps, LineSeal, Problem } from '../../engine/state/storePorts.ts';

export interface TranscriptOptions {
  readonly stateDir: string;
  readonly sessionId: number;
  /** Epoch of the writing owner. */
  readonly epoch: number;
  readonly ops: FileOps;
  readonly seal: LineSeal;
}

export interface FileTranscript extends Transcript {
  /** Parts that could not be read. */
  readonly problems: readonly Problem[];
  close(): Promise<void>;
}

interface Numbered {
  readonly n: number;
  readonly entry: TranscriptEntry;
}

interface Read {
  /** `n` rises. */
  readonly entries: Numbered[];
  readonly problems: Problem[];
}

/** This session's files, oldest first. */
function filesOf(names: readonly string[], sessionId: number): { name: string; epoch: number; part: number }[] {
  const pattern = new RegExp(`^${sessionId}\\.(\\d+)(?:\\.(\\d+))?\\.jsonl$`);
  return names
    .flatMap((name) => {
      const match = pattern.exec(name);
      return match === null ? [] : [{ name, epoch: Number(match[1]), part: Number(match[2] ?? 1) }];
    })
    .sort((a, b) => a.epoch - b.epoch || a.part - b.part);
}

function entryOf(line: Uint8Array, sessionId: number, epoch: number): Numbered | null {
  const value = JSON.parse(Buffer.from(line).toString('utf8')) as Record<string, unknown>;
  const { session, n, entry } = value;
  if (session !== sessionId || value['epoch'] !== epoch || typeof n !== 'number') return null;
  return { n, entry: entry as TranscriptEntry };
}

function readLines(read: Read, file: string, bytes: Uint8Array, epoch: number, options: TranscriptOptions): void {
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const stop = end === -1 ? bytes.length : end;
    const line = bytes.subarray(start, stop);
    start = stop + 1;
    number++;
    if (line.length === 0) continue;
    const problem = (what: string) => read.problems.push({ file, line: number, what });
    const found = options.seal.check(line) === null ? null : entryOf(line, options.sessionId, epoch);
    if (found === null) {
      problem(end === -1 ? 'unfinished line' : 'damaged line');
      continue;
    }
    while ((read.entries.at(-1)?.n ?? 0) >= found.n) read.entries.pop();
    const last = read.entries.at(-1)?.n ?? 0;
    if (found.n > last + 1) problem(`entries ${last + 1} to ${found.n - 1} are missing before it`);
    read.entries.push(found);
  }
}

/** Opens a session's journal to continue it. All its files are read; this epoch writes a new one. */
export async function openTranscript(options: TranscriptOptions): Promise<FileTranscript> {
  const { ops, stateDir, sessionId, epoch } = options;
  const folder = join(stateDir, 'sessions');
  const read: Read = { entries: [], problems: [] };
  const files = filesOf(await ops.list(folder), sessionId);
  for (const { name, epoch: writer } of files) {
    const path = join(folder, name);
    const bytes = (await ops.stat(path))?.kind === 'file' ? await ops.read(path) : null;
    if (bytes === null) read.problems.push({ file: name, line: null, what: 'not a file that can be read' });
    else readLines(read, name, bytes, writer, options);
  }
  const parts = files.filter((file) => file.epoch === epoch).map(({ part }) => part);
  return new Journal(options, folder, read, Math.max(0, ...parts));
}

class Journal implements FileTranscript {
  readonly entries: TranscriptEntry[];
  readonly problems: readonly Problem[];
  readonly #options: TranscriptOptions;
  readonly #folder: string;
  #part: number;
  #last: number;
  #file: AppendFile | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: TranscriptOptions, folder: string, read: Read, part: number) {
    this.#options = options;
    this.#folder = folder;
    this.#part = part;
    this.entries = read.entries.map(({ entry }) => entry);
    this.problems = read.problems;
    this.#last = read.entries.at(-1)?.n ?? 0;
  }

  append(entry: TranscriptEntry): Promise<void> {
    const turn = this.#turn.then(() => this.#write(entry));
    // The next entry is written even if this one failed; the failure goes to its own caller.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #write(entry: TranscriptEntry): Promise<void> {
    const { sessionId, epoch, seal } = this.#options;
    const n = this.#last + 1;
    const { line } = seal.seal(JSON.stringify({ session: sessionId, epoch, n, entry }));
    const data = Buffer.from(`${line}\n`);
    try {
      const file = this.#file ?? (await this.#begin());
      for (let done = 0; done < data.length; ) {
        const written = await file.write(data.subarray(done));
        if (written === 0) throw new Error('nothing was written');
        done += written;
      }
      await file.sync();
    } catch (thrown) {
      // The file may end with half a line: the next entry goes to a new file.
      await this.close().catch(() => undefined);
      throw diskFailure(thrown, join(this.#folder, `${sessionId}.${epoch}.jsonl`));
    }
    this.#last = n;
    this.entries.push(entry);
  }

  async #begin(): Promise<AppendFile> {
    const { ops, sessionId, epoch } = this.#options;
    this.#part++;
    const part = this.#part === 1 ? '' : `.${this.#part}`;
    const path = join(this.#folder, `${sessionId}.${epoch}${part}.jsonl`);
    await ops.makeDir(this.#folder);
    const file = await ops.openNew(path);
    if (file === null) throw new Error(`${path} is another writer's`);
    this.#file = file;
    await ops.syncDir(this.#folder);
    return file;
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }
}
