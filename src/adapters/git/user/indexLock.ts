/**
 * Takes git's lock on the user's index, and keeps a journal of the reason, so that a process that recovers from a crash
 * can recognize the lock and the interrupted move. The journal stays until a move is completely done or undone; the
 * lock only during the work.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { diskFailure, NO_LINKS } from '../../../engine/state/filePorts.ts';
import { errnoOf } from '../../../shared/errors.ts';
import { rename, rm } from '../../platform/heldFiles.ts';
import { readIfThere } from '../gitDirectory.ts';

const journalSchema = z.object({
  root: z.string(),
  gitDir: z.string(),
  ref: z.string(),
  from: z.string(),
  to: z.string(),
  nonce: z.string(),
  /** The move failed after the branch had moved: branch and files are rolled back. */
  undoing: z.boolean().default(false),
});
/** A checkout that is being moved. */
export type MoveJournal = z.infer<typeof journalSchema>;

export async function readJournal(path: string): Promise<MoveJournal | null> {
  const text = await readIfThere(path);
  if (text === null) return null;
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch {
    // torn by the crash: it was written before the lock was taken, so there is nothing to recover
    return null;
  }
}

const lockOf = (gitDir: string) => join(gitDir, 'index.lock');
const draftOf = ({ gitDir, nonce }: MoveJournal) => join(gitDir, `${nonce.replace(' ', '-')}.part`);

const holdsLock = async (journal: MoveJournal): Promise<boolean> =>
  (await readIfThere(lockOf(journal.gitDir))) === journal.nonce;

/** The lock file appears with its content: neither a kill nor a full disk leaves a lock without an owner. */
async function placeLock(journal: MoveJournal): Promise<void> {
  const [lock, draft] = [lockOf(journal.gitDir), draftOf(journal)];
  try {
    await writeFile(draft, journal.nonce);
    await link(draft, lock).catch(async (thrown: unknown) => {
      if (!NO_LINKS.includes(errnoOf(thrown))) throw thrown;
      const file = await open(lock, 'wx');
      await file.close();
      await writeFile(lock, journal.nonce).catch(async (full: unknown) => {
        await rm(lock, { force: true });
        throw full;
      });
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** `taken`: another process holds the lock; `gone`: the repository does not exist any more. */
export async function lockAgain(journal: MoveJournal): Promise<'held' | 'taken' | 'gone'> {
  if (await holdsLock(journal)) return 'held';
  try {
    await placeLock(journal);
    return 'held';
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === 'EEXIST') return 'taken';
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return 'gone';
    throw diskFailure(thrown, lockOf(journal.gitDir));
  }
}

/** Takes the lock. Returns null if another process holds it. No journal may exist. */
export async function takeLock(
  path: string,
  move: Omit<MoveJournal, 'nonce' | 'undoing'>,
): Promise<MoveJournal | null> {
  const journal = { ...move, nonce: `autonomous ${randomUUID()}`, undoing: false };
  await writeDurably(path, JSON.stringify(journal));
  let held = false;
  try {
    held = (await lockAgain(journal)) === 'held';
  } finally {
    // It may hold the lock, if only its draft could not be removed.
    if (!held) await releaseLock(path, journal);
  }
  return held ? journal : null;
}

/** After this, a process that finds the branch at its old commit also restores the files. */
export async function beginUndoing(path: string, journal: MoveJournal): Promise<void> {
  await writeDurably(path, JSON.stringify({ ...journal, undoing: true }));
}

/** Installs a new index while the lock is held. */
export async function installIndex(journal: MoveJournal, index: Uint8Array): Promise<void> {
  await writeDurably(join(journal.gitDir, 'index'), index);
}

/** The user may continue; the journal stays for the process that recovers the move. */
export async function dropLock(journal: MoveJournal): Promise<void> {
  if (await holdsLock(journal)) await rm(lockOf(journal.gitDir), { force: true });
  await rm(draftOf(journal), { force: true });
}

/** The move has ended. The journal is removed last: a lock without a journal would stay. */
export async function releaseLock(path: string, journal: MoveJournal): Promise<void> {
  await dropLock(journal);
  await rm(path, { force: true });
}

async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.autonomous-part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(part, 'w', 0o644);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (thrown) {
    // The first failure is the one to throw.
    await rm(part, { force: true }).catch(() => undefined);
    throw diskFailure(thrown, path);
  }
}
