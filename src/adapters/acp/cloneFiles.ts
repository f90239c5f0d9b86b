/**
 * Files of the clone for an agent that leaves them to us. We are outside of its sandbox: whatever link, `..` or folder that
 * is swapped at the last moment leads out of the clone is refused.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import { isGitName, isStateName } from '../../core/hiddenNames.ts';

/** Largest file that is read or written. */
const MAX_BYTES = 10 * 1024 * 1024;
/** One after the other, as many as the kernel follows. */
const MAX_LINKS = 40;

export interface CloneFiles {
  /** Lines from `line` (1-based) on, at most `limit` of them. */
  read(path: string, line: number | null, limit: number | null): Promise<string>;
  write(path: string, content: string): Promise<void>;
}

/** `writes`: false refuses all writing. */
export function cloneFiles(clone: string, writes: boolean): CloneFiles {
  return {
    async read(path, line, limit) {
      const { handle } = await openInside(clone, path, constants.O_RDONLY | constants.O_NONBLOCK);
      await using file = handle;
      const stat = await file.stat();
      if (!stat.isFile() || stat.size > MAX_BYTES) throw refusal(path, 'is no file that can be read');
      const text = await file.readFile('utf8');
      if (line === null && limit === null) return text;
      const first = Math.max(1, line ?? 1) - 1;
      return text
        .split('\n')
        .slice(first, limit === null ? undefined : first + limit)
        .join('\n');
    },
    async write(path, content) {
      if (!writes) throw refusal(path, 'is only to be read in this role');
      if (Buffer.byteLength(content) > MAX_BYTES) throw refusal(path, 'would be too large');
      if (path.split(/[\\/]/).some(isGitName)) throw refusal(path, 'belongs to git');
      const target = resolve(clone, path);
      await mkdirInside(clone, path, dirname(target));
      const { handle } = await openInside(clone, path, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK);
      await using file = handle;
      if (!(await file.stat()).isFile()) throw refusal(path, 'is no file that can be written');
      await file.truncate();
      await file.writeFile(content);
    },
  };
}

/** Whether a path, relative to the clone, leads into one of the folders, over links too. What is not there yet counts by its folder. */
export async function leadsInto(clone: string, path: string, folders: readonly string[]): Promise<boolean> {
  return (await wayInto(clone, path, folders)) !== null;
}

/** As `leadsInto`: where it leads to, relative to the first of the folders that holds it; null: to none of them. */
export async function wayInto(clone: string, path: string, folders: readonly string[]): Promise<string | null> {
  const target = await realOf(resolve(clone, path));
  const roots = await Promise.all(folders.map((folder) => realOf(folder)));
  const root = roots.find((one) => isBelow(target, one));
  return root === undefined ? null : relative(root, target);
}

async function openInside(clone: string, path: string, flags: number): Promise<{ readonly handle: FileHandle }> {
  const root = await realpath(clone);
  const asked = resolve(clone, path);
  // The clone has two names where a link leads to it, and an agent may say either.
  const target = isBelow(asked, root) ? asked : resolve(root, relative(clone, asked));
  if (!isBelow(target, root) || target === root) throw refusal(path, 'is outside of the clone');
  try {
    const folder = await realpath(dirname(target));
    // Open, then look where that is: what was looked at first could be another thing by then.
    const parent = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    await using _closed = parent;
    const [held, name] = [`/proc/self/fd/${parent.fd}`, basename(target)];
    const real = process.platform === 'linux' ? await realpath(held) : folder;
    const below = relative(root, join(real, name)).split(sep);
    if (!isBelow(real, root) || below.some(isStateName)) throw refusal(path, 'is outside of the clone');
    if ((flags & constants.O_WRONLY) !== 0 && below.some(isGitName)) throw refusal(path, 'belongs to git');
    const at = process.platform === 'linux' ? join(held, name) : join(real, name);
    return { handle: await open(at, flags | constants.O_NOFOLLOW, 0o644) };
  } catch (thrown) {
    throw thrown instanceof RequestError ? thrown : fault(path, thrown);
  }
}

/** Makes the folders that are missing, when the deepest one that is there lies in the clone. */
async function mkdirInside(clone: string, path: string, folder: string): Promise<void> {
  if (!(await leadsInto(clone, folder, [clone]))) throw refusal(path, 'is outside of the clone');
  try {
    await mkdir(folder, { recursive: true });
  } catch (thrown) {
    throw fault(path, thrown);
  }
}

/** A link that leads to nothing yet is followed all the same: what is written through it is made there. */
async function realOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT' || dirname(path) === path || links > MAX_LINKS) throw thrown;
    const parent = await realOf(dirname(path), links);
    const leads = await linkAt(join(parent, basename(path)));
    return leads === null ? join(parent, basename(path)) : realOf(resolve(parent, leads), links + 1);
  }
}

/** Where a link says that it leads; null: there is none. */
async function linkAt(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT' || codeOf(thrown) === 'EINVAL') return null;
    throw thrown;
  }
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined);

const refusal = (path: string, why: string): RequestError =>
  RequestError.invalidParams(undefined, `${JSON.stringify(path)} ${why}`);

/** What the file system says; anything else is a bug. */
function fault(path: string, thrown: unknown): unknown {
  const code = codeOf(thrown);
  if (code === undefined) return thrown;
  return code === 'ENOENT' ? RequestError.resourceNotFound(path) : refusal(path, `cannot be opened (${String(code)})`);
}
