/**
 * What a loss of power may leave of what was done: of each folder's names those up to some moment, of each file what was synced
 * and any part of the rest. A file system that keeps the order of a folder's changes, as ext4, XFS, APFS and NTFS do, leaves no
 * other disk; between two folders there is no order.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** `t`: when it was done, in microseconds of a clock of the machine. */
export type Note = { readonly t: number } & (
  | { readonly what: 'name'; readonly path: string }
  | { readonly what: 'moved'; readonly from: string; readonly to: string; readonly saved: string | null }
  | { readonly what: 'gone'; readonly path: string; readonly saved: string }
  /** Opened to be written; what it held then is durable, unless notes before say otherwise. */
  | { readonly what: 'file'; readonly ino: number; readonly size: number }
  | { readonly what: 'synced'; readonly ino: number; readonly size: number }
  /** The folder's names were synced, those of before `from`. */
  | { readonly what: 'folder'; readonly path: string; readonly from: number }
);

type Named = Extract<Note, { what: 'name' | 'moved' | 'gone' }>;

export interface Lost {
  readonly names: number;
  readonly bytes: number;
}

const folderOf = (note: Named): string => dirname(note.what === 'moved' ? note.to : note.path);
const isNamed = (note: Note): note is Named => ['name', 'moved', 'gone'].includes(note.what);

export function losePower(notes: readonly Note[], roots: readonly string[], random: (below: number) => number): Lost {
  const names = loseNames(notes, random);
  const durable = new Map<number, number>();
  for (const note of notes) {
    if (note.what === 'file' && !durable.has(note.ino)) durable.set(note.ino, note.size);
    if (note.what === 'synced') durable.set(note.ino, Math.max(durable.get(note.ino) ?? 0, note.size));
  }
  let bytes = 0;
  for (const root of roots) bytes += loseBytes(root, durable, random);
  return { names, bytes };
}

function loseNames(notes: readonly Note[], random: (below: number) => number): number {
  const synced = new Map<string, number>();
  for (const note of notes) {
    if (note.what === 'folder') synced.set(note.path, Math.max(synced.get(note.path) ?? 0, note.from));
  }
  const pending = Map.groupBy(
    notes.filter(isNamed).filter((note) => note.t >= (synced.get(folderOf(note)) ?? 0)),
    folderOf,
  );
  const undone: Named[] = [];
  for (const ofFolder of pending.values()) {
    ofFolder.sort((a, b) => a.t - b.t);
    undone.push(...ofFolder.slice(random(ofFolder.length + 1)));
  }
  for (const note of undone.sort((a, b) => b.t - a.t)) undo(note);
  return undone.length;
}

/** A folder that is gone itself took its names with it. */
function undo(note: Named): void {
  if (!existsSync(folderOf(note))) return;
  if (note.what === 'name') rmSync(note.path, { recursive: true, force: true });
  else if (note.what === 'gone') restore(note.saved, note.path);
  else {
    if (existsSync(note.to)) renameSync(note.to, note.from);
    if (note.saved !== null) restore(note.saved, note.to);
  }
}

function restore(saved: string, path: string): void {
  if (existsSync(saved)) renameSync(saved, path);
}

function loseBytes(path: string, durable: ReadonlyMap<number, number>, random: (below: number) => number): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (stat.isDirectory()) {
    return readdirSync(path).reduce((sum, name) => sum + loseBytes(join(path, name), durable, random), 0);
  }
  const safe = durable.get(stat.ino) ?? stat.size;
  if (!stat.isFile() || stat.size <= safe) return 0;
  const kept = safe + random(stat.size - safe + 1);
  truncateSync(path, kept);
  // Blocks reach the disk in any order: one in the middle may have stayed behind.
  if (kept > safe && random(3) === 0) overwrite(path, safe + random(kept - safe), kept);
  return stat.size - kept;
}

function overwrite(path: string, from: number, to: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(to - from), 0, to - from, from);
  closeSync(file);
}
