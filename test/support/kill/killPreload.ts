/** Loaded before the program under test, and before each of its threads: ends the whole process at the point in this module's URL. */
import childProcess from 'node:child_process';
import { writeSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { KILLED_AT, type KillPoint } from './killPoint.ts';

const point = JSON.parse(new URL(import.meta.url).searchParams.get('point') ?? '') as KillPoint;
let left = point.nth;

/** True once: when the last of them is reached. */
function due(count: number): boolean {
  if (left <= 0 || count === 0) return false;
  left -= count;
  return left <= 0;
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

const lines = (text: string, isOne: (line: string) => boolean): string[] =>
  text.split('\n').filter((line) => line !== '' && isOne(line));

const typeOf = (line: string): string => /"type":"(\w+)"/.exec(line)?.[1] ?? '';

function isMeant(line: string): boolean {
  if (point.at === 'journal') return line.includes(point.word ?? '');
  const type = typeOf(line);
  return type !== '' && (point.at !== 'event' || point.types.length === 0 || point.types.includes(type));
}

/** How many of what is counted are in this write. */
function counted(path: string, text: string): number {
  switch (point.at) {
    case 'event':
      return path.includes('/events/') ? lines(text, isMeant).length : 0;
    case 'journal':
      return /\/sessions?\/[^/]+\.jsonl$/.test(path) ? lines(text, isMeant).length : 0;
    case 'change':
      return path.includes('/.autonomous/') ? 1 : 0;
    case 'git':
      return 0;
  }
}

/** Where a torn write ends: in the middle of the last line that is counted. */
function half(text: string): number {
  const last = lines(text, isMeant).at(-1) ?? text;
  return Buffer.byteLength(text.slice(0, text.lastIndexOf(last) + Math.floor(last.length / 2)));
}

/** Writes as much as the point says, and ends; `rest` is what makes it durable. */
async function endIn(data: Uint8Array, write: (data: Uint8Array) => Promise<unknown>): Promise<'durable'> {
  if (point.at === 'event') {
    const types = lines(Buffer.from(data).toString('utf8'), isMeant).map(typeOf);
    writeSync(2, `${KILLED_AT} ${types.join(' ')}\n`);
  }
  if (point.how === 'before') return die();
  await write(point.how === 'torn' ? data.subarray(0, half(Buffer.from(data).toString('utf8'))) : data);
  return point.how === 'durable' ? 'durable' : die();
}

function watched(path: string, handle: FileHandle): FileHandle {
  const write = handle.write.bind(handle) as (data: Uint8Array) => Promise<{ bytesWritten: number }>;
  const writeFile = handle.writeFile.bind(handle) as (data: Uint8Array) => Promise<void>;
  const sync = handle.sync.bind(handle);
  let ends = false;
  const reaches = (data: Uint8Array): boolean => due(counted(path, Buffer.from(data).toString('utf8')));
  return Object.assign(handle, {
    write: async (data: Uint8Array) => {
      if (!reaches(data)) return write(data);
      ends = (await endIn(data, write)) === 'durable';
      return { bytesWritten: data.length };
    },
    writeFile: async (data: Uint8Array) => {
      if (!reaches(data)) return writeFile(data);
      ends = (await endIn(data, writeFile)) === 'durable';
    },
    sync: async () => {
      await sync();
      if (ends) await die();
    },
  });
}

const { open, rename } = fs;
const { spawn } = childProcess;
Object.assign(fs, {
  open: async (...words: Parameters<typeof open>) => {
    const path = String(words[0]);
    const handle = await open(...words);
    return path.includes('/.autonomous/') ? watched(path, handle) : handle;
  },
  rename: async (from: string, to: string) => {
    if (point.at !== 'change' || !due(counted(to, ''))) return rename(from, to);
    if (point.how === 'before' || point.how === 'torn') return die();
    await rename(from, to);
    return die();
  },
});
if (point.at === 'git') {
  Object.assign(childProcess, {
    spawn: (...words: Parameters<typeof spawn>) => {
      const told: unknown = words[1];
      const meant = Array.isArray(told) && told.includes(point.word) && due(1);
      if (meant && point.how === 'before') void die();
      const child = spawn(...words);
      if (meant) child.once('exit', () => void die());
      return child;
    },
  });
}
syncBuiltinESMExports();
