/**
 * Answers a session's command line on the engine's side. Every entry of `requests` was written by a command of the
 * agent: a name, a link, a pipe or a size that no honest request has is refused, and no link is followed. A folder is
 * left in place.
 */
import { constants, type FSWatcher, type Stats, watch } from 'node:fs';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../shared/clock.ts';
import { errnoOf, messageOf } from '../../../shared/errors.ts';
import { leaveHeld, rename, rm } from '../../platform/heldFiles.ts';
import { NOBODY_ANSWERED, REPLY_PARTS, REQUEST_MAGIC, REQUEST_SUFFIX, sessionScript } from './sessionScript.ts';

export interface SpoolReply {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type SpoolHandler = (argv: string[]) => Promise<SpoolReply>;

export interface Spool {
  /** Folders that a command of the session must be able to read, wherever they are. */
  readonly readable: readonly string[];
  /** Folders that it must be able to write: only its requests. */
  readonly writable: readonly string[];
  /** Folder with the `autonomous` script; it must be the first entry of the session's PATH. */
  readonly bin: string;
  /** Ends the watch; running requests are answered before it resolves. The folder stays until the session is removed. */
  close(): Promise<void>;
}

export interface SpoolOptions {
  readonly clock: Clock;
  /** Time limit of the script for a reply, and of the engine for an answer, in seconds. */
  readonly seconds?: number;
  /** Called for problems with the folder itself, a full disk for instance; the next check retries. */
  readonly onError?: (thrown: unknown) => void;
}

/** Limit of a request file: a plan of an agent may be long. */
export const MAX_REQUEST_BYTES = 4 << 20;
const MAX_REPLY_CHARS = 1 << 20;
const WAIT_SECONDS = 10;
const POLL_MS = 500;
/** Milliseconds for which a reply is kept to be read. */
const KEEP_REPLY_MS = 30_000;
/** Requests answered concurrently; the rest are queued. */
const MAX_AT_ONCE = 16;
const NAME = /^[A-Za-z0-9]{6,64}$/;

const refusal = (why: string): SpoolReply => ({ exitCode: 2, stdout: '', stderr: `autonomous: ${why}\n` });

/** The words of a request file; null if the file is invalid. */
export function parseRequest(bytes: Uint8Array): string[] | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) return null;
    throw thrown;
  }
  const [magic, count, ...words] = text.split('\0');
  if (magic !== REQUEST_MAGIC || words.pop() !== '') return null;
  return count === String(words.length) ? words : null;
}

function isAcceptable(stat: Stats): string | null {
  if (!stat.isFile()) return 'a request must be an ordinary file';
  if (stat.nlink !== 1) return 'a request must have one name';
  return stat.size > MAX_REQUEST_BYTES ? `a request may have ${MAX_REQUEST_BYTES} bytes` : null;
}

/**
 * Reads without following a link and without blocking on a pipe. Returns the words, or the reason for a refusal, or
 * null if the file has been removed since the folder was listed.
 */
async function readRequest(file: string): Promise<string[] | string | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(file, flags);
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined) throw thrown;
    return code === 'ENOENT' ? null : 'a request must be an ordinary file';
  }
  try {
    const stat = await handle.stat();
    const complaint = isAcceptable(stat);
    if (complaint !== null) return complaint;
    const buffer = Buffer.alloc(stat.size + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > stat.size) return 'a request must be written whole';
    return parseRequest(buffer.subarray(0, length)) ?? 'this is not a request';
  } finally {
    await handle.close();
  }
}

/** The whole reply appears at once, because its folder is renamed. */
async function writeReply(replies: string, name: string, reply: SpoolReply): Promise<void> {
  const draft = join(replies, `.${name}`);
  await mkdir(draft, { mode: 0o700 });
  await writeFile(join(draft, REPLY_PARTS.stdout), reply.stdout.slice(0, MAX_REPLY_CHARS));
  await writeFile(join(draft, REPLY_PARTS.stderr), reply.stderr.slice(0, MAX_REPLY_CHARS));
  await writeFile(join(draft, REPLY_PARTS.exitCode), `${reply.exitCode & 255}\n`);
  await rename(draft, join(replies, name));
}

interface SpoolDirectories {
  readonly requests: string;
  readonly replies: string;
  readonly handle: SpoolHandler;
  readonly clock: Clock;
  readonly seconds: number;
  /** Timers that remove replies. */
  readonly pending: Set<() => void>;
}

async function answer(directories: SpoolDirectories, words: string[] | string): Promise<SpoolReply> {
  if (typeof words === 'string') return refusal(words);
  let cancel: () => void = () => undefined;
  const late = new Promise<SpoolReply>((resolve) => {
    const stderr = 'autonomous: the engine took too long; what was asked may still happen\n';
    cancel = directories.clock.timer(directories.seconds * 1_000, () =>
      resolve({ exitCode: NOBODY_ANSWERED, stdout: '', stderr }),
    );
  });
  const done = directories.handle(words).catch((thrown: unknown) => ({
    exitCode: 1,
    stdout: '',
    stderr: `autonomous: ${messageOf(thrown)}\n`,
  }));
  return Promise.race([done, late]).finally(() => cancel());
}

/** Removes a request before it is handled, so that it is never handled twice. */
async function serve(directories: SpoolDirectories, entry: string): Promise<void> {
  const file = join(directories.requests, entry);
  const name = entry.slice(0, -REQUEST_SUFFIX.length);
  const words = await readRequest(file);
  if (words === null) return;
  // A folder is never emptied: while its maker lives, its entries can become links to the outside at any moment.
  await rm(file, { force: true });
  if (!NAME.test(name)) return;
  const reply = await answer(directories, words);
  const target = join(directories.replies, name);
  // A reused name is a forgery, or a very unlikely draw: its old reply is removed first.
  await rm(target, { recursive: true, force: true });
  await writeReply(directories.replies, name, reply);
  const stop = directories.clock.timer(KEEP_REPLY_MS, () => {
    directories.pending.delete(stop);
    // The session's folder is removed with it.
    void rm(target, { recursive: true, force: true }).catch(leaveHeld);
  });
  directories.pending.add(stop);
}

async function waiting(requests: string): Promise<string[]> {
  try {
    return (await readdir(requests, { withFileTypes: true }))
      .filter((entry) => entry.name.endsWith(REQUEST_SUFFIX) && !entry.isDirectory())
      .map(({ name }) => name)
      .sort()
      .slice(0, MAX_AT_ONCE);
  } catch (thrown) {
    // The session's folder may have been removed meanwhile: then there are no requests.
    if (errnoOf(thrown) !== undefined) return [];
    throw thrown;
  }
}

/** Detects a new file at once if the system notifies; the slow check is for other systems. */
function watchFolder(folder: string, look: () => void): () => void {
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, { persistent: false }, look);
    watcher.on('error', () => watcher?.close());
  } catch (thrown) {
    // No watches are available, or the file system has none.
    if (errnoOf(thrown) === undefined) throw thrown;
  }
  return () => watcher?.close();
}

/** Checks the folder repeatedly, and runs at most MAX_AT_ONCE requests at a time. */
function attend(
  directories: SpoolDirectories,
  onError: (thrown: unknown) => void,
): { readonly look: () => void; readonly close: () => Promise<void> } {
  const busy = new Map<string, Promise<void>>();
  let open = true;
  let looking: Promise<void> | null = null;
  let again = false;
  async function start(): Promise<void> {
    for (const name of await waiting(directories.requests)) {
      if (!open || busy.size >= MAX_AT_ONCE) return;
      if (busy.has(name)) continue;
      const work = serve(directories, name).catch(onError);
      busy.set(name, work);
      void work.then(() => {
        busy.delete(name);
        if (busy.size === MAX_AT_ONCE - 1) look();
      });
    }
  }
  function look(): void {
    if (!open) return;
    if (looking !== null) {
      again = true;
      return;
    }
    looking = start()
      .catch(onError)
      .then(() => {
        looking = null;
        if (!again) return;
        again = false;
        look();
      });
  }
  return {
    look,
    async close() {
      open = false;
      await looking;
      await Promise.all(busy.values());
    },
  };
}

/**
 * Creates `folder` if it is missing (private to this user) and answers its requests concurrently. `handle` gets the
 * words after `autonomous`; an error of it becomes exit code 1.
 */
export async function openSpool(folder: string, handle: SpoolHandler, options: SpoolOptions): Promise<Spool> {
  const seconds = options.seconds ?? WAIT_SECONDS;
  const [bin, requests, replies] = [join(folder, 'bin'), join(folder, 'requests'), join(folder, 'replies')];
  for (const each of [folder, bin, requests, replies]) await mkdir(each, { recursive: true, mode: 0o700 });
  await writeFile(join(bin, 'autonomous'), sessionScript({ requests, replies }, seconds), { mode: 0o755 });
  const directories: SpoolDirectories = {
    requests,
    replies,
    handle,
    clock: options.clock,
    seconds,
    pending: new Set(),
  };
  const attendance = attend(directories, options.onError ?? (() => undefined));
  const unwatch = watchFolder(requests, attendance.look);
  let stopPoll: () => void = () => undefined;
  const poll = (): void => {
    attendance.look();
    stopPoll = options.clock.timer(POLL_MS, poll);
  };
  poll();
  return {
    readable: [bin, replies],
    writable: [requests],
    bin,
    async close() {
      unwatch();
      stopPoll();
      await attendance.close();
      for (const stop of directories.pending) stop();
    },
  };
}
