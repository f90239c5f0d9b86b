/** Creates git objects in this process: their ids, and their files in git's format. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import { diskFailure } from '../../engine/state/filePorts.ts';
import { renameNew, rm } from '../platform/heldFiles.ts';
import { OWN_IDENTITY } from './gitDirectory.ts';

const pack = promisify(deflate);
const READ_ONLY = 0o444;
/** As git's default for loose objects, for speed. */
const LEVEL = 1;
/** Bytes. */
const SHORT = 64 * 1024;

export interface MadeObject {
  readonly id: string;
  readonly data: Buffer;
}

/** `idLength`: length of the repository's ids, which determines their hash. */
export function madeObject(kind: 'blob' | 'tree' | 'commit', content: Uint8Array, idLength: number): MadeObject {
  const data = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = createHash(idLength === 64 ? 'sha256' : 'sha1')
    .update(data)
    .digest('hex');
  return { id, data };
}

export interface CommitContent {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Name, e-mail address, time and zone in git's format, one character per byte. */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}

export function madeCommit({ tree, parents, author, committer, message }: CommitContent): MadeObject {
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const head = Buffer.from(`${[...lines, `author ${author}`, `committer ${committer}`].join('\n')}\n\n`, 'latin1');
  return madeObject('commit', Buffer.concat([head, Buffer.from(message, 'utf8')]), tree.length);
}

/** A commit by Autonomous. `now`: epoch milliseconds. */
export function ownCommit(content: Omit<CommitContent, 'author' | 'committer'>, now: number): MadeObject {
  const { name, email } = OWN_IDENTITY;
  const by = `${name} <${email}> ${Math.floor(now / 1000)} +0000`;
  return madeCommit({ ...content, author: by, committer: by });
}

const pathOf = (gitDir: string, id: string): string => join(gitDir, 'objects', id.slice(0, 2), id.slice(2));

/** Durable when it resolves. An object never appears before those earlier in the list. Throws DISK. */
export async function storeObjects(gitDir: string, objects: readonly MadeObject[]): Promise<void> {
  const drafts = await Promise.allSettled(objects.map((object) => draftOf(pathOf(gitDir, object.id), object.data)));
  const failed = drafts.find((draft) => draft.status === 'rejected');
  const made = drafts.map((draft) => (draft.status === 'fulfilled' ? draft.value : null));
  if (failed !== undefined) {
    await Promise.all(made.map((draft) => draft !== null && rm(draft, { force: true })));
    throw diskFailure(failed.reason, gitDir);
  }
  for (const [at, { id }] of objects.entries()) {
    const draft = made[at];
    if (draft != null) await putInPlace(draft, pathOf(gitDir, id));
  }
}

/** Another lane may have stored the same object by now. */
async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    if (!(await renameNew(draft, path))) await rm(draft, { force: true });
  } catch (thrown) {
    throw diskFailure(thrown, path);
  }
}

/** A synced file beside `path`, or null if the object exists. */
async function draftOf(path: string, data: Uint8Array): Promise<string | null> {
  if (existsSync(path)) return null;
  // Compressing short data takes less time than handing it to a thread.
  const packed = data.length <= SHORT ? deflateSync(data, { level: LEVEL }) : await pack(data, { level: LEVEL });
  const draft = join(dirname(path), `tmp_obj_${randomUUID()}`);
  const file = await open(draft, 'wx', READ_ONLY).catch(async (thrown: unknown) => {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    await mkdir(dirname(path), { recursive: true });
    return open(draft, 'wx', READ_ONLY);
  });
  try {
    await file.writeFile(packed);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}
