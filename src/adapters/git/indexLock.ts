/**
 * Git's own lock on the user's index, and a journal of why we hold it, so that a start after a crash knows which lock is
 * ours and what was under way.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readIfThere } from './gitDirectory.ts';

const journalSchema = z.object({
  root: z.string(),
  gitDir: z.string(),
  ref: z.string(),
  from: z.string(),
  to: z.string(),
  nonce: z.string(),
});
/** A checkout that is being moved. */
export type MoveJournal = z.infer<typeof journalSchema>;

export async function readJournal(path: string): Promise<MoveJournal | null> {
  const text = await readIfThere(path);
  if (text === null) return null;
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch {
    // torn by the crash: it was written before the lock was taken, so there is nothing to put right
    return null;
  }
}

const lockOf = (gitDir: string) => join(gitDir, 'index.lock');

/** Whether the lock of this journal is still there. */
export async function holdsLock(journal: MoveJournal): Promise<boolean> {
  return (await readIfThere(lockOf(journal.gitDir))) === journal.nonce;
}

/** Takes the lock; null: someone else has it. */
export async function takeLock(path: string, move: Omit<MoveJournal, 'nonce'>): Promise<MoveJournal | null> {
  const journal = { ...move, nonce: `autonomous ${randomUUID()}` };
  await writeDurably(path, JSON.stringify(journal));
  try {
    await writeFile(lockOf(move.gitDir), journal.nonce, { flag: 'wx' });
  } catch (thrown) {
    await rm(path, { force: true });
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw thrown;
  }
  return journal;
}

/** Puts a new index in place under the lock. */
export async function installIndex(journal: MoveJournal, index: Uint8Array): Promise<void> {
  await writeDurably(join(journal.gitDir, 'index'), index);
}

export async function releaseLock(path: string, journal: MoveJournal): Promise<void> {
  if (await holdsLock(journal)) await rm(lockOf(journal.gitDir), { force: true });
  await rm(path, { force: true });
}

async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.autonomous-part`;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(part, 'w', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}
