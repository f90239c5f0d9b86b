/**
 * Reads and copies the parts of an agent's `.git` that its replacement keeps: objects, and the names of branches, tags and
 * stashes. These are data. Configuration, hooks, locks, alternates and all else are dropped. No link is followed.
 */
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObjectId, isOrdinaryRef } from '../../names.ts';

const TOP = ['logs', 'objects', 'packed-refs', 'refs'];
const OBJECT = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(?:pack|idx|rev))$/;
const STASH_LOG = 'logs/refs/stash';
const LOG_LINE = /^[0-9a-f]{40,64} [0-9a-f]{40,64} [^\0]*$/;
const MAX_TEXT_BYTES = 1_000_000;
const MAX_REFS = 1_000;

export interface AgentKept {
  /** Full ref name → commit. */
  readonly refs: Readonly<Record<string, string>>;
  /** Lines of the stash's log: git lists stashes from them. */
  readonly stashLog: string;
  /** Paths of objects from the top of the git directory. */
  readonly objects: readonly string[];
}

const NOTHING: AgentKept = { refs: {}, stashLog: '', objects: [] };

/** Plain files below `prefix`, which must be a folder. */
async function plainFiles(folder: string, prefix: string, names?: readonly string[]): Promise<string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (names?.includes(entry.name) === false) continue;
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await plainFiles(folder, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

async function textOf(path: string): Promise<string> {
  return (await lstat(path)).size > MAX_TEXT_BYTES ? '' : readFile(path, 'utf8');
}

/** `gitDir` may have any content, or not exist. No process of the agent may run. */
export async function keptOf(gitDir: string): Promise<AgentKept> {
  if ((await lstat(gitDir).catch(() => null))?.isDirectory() !== true) return NOTHING;
  const files = await plainFiles(gitDir, '', TOP);
  const refs: [string, string][] = [];
  const add = (ref: string, commit: string): void => {
    if (isOrdinaryRef(ref) && isObjectId(commit)) refs.push([ref, commit]);
  };
  if (files.includes('packed-refs')) {
    const lines = (await textOf(join(gitDir, 'packed-refs'))).split('\n');
    for (const line of lines) add(line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' ')));
  }
  // A loose ref overrides a packed one.
  const loose = files.filter(isOrdinaryRef).slice(0, MAX_REFS);
  for (const ref of loose) add(ref, (await textOf(join(gitDir, ref))).trim());
  const log = files.includes(STASH_LOG) ? await textOf(join(gitDir, STASH_LOG)) : '';
  return {
    refs: Object.fromEntries(refs.slice(-MAX_REFS)),
    stashLog: stashLines(log)
      .map((line) => `${line}\n`)
      .join(''),
    objects: files.filter((path) => OBJECT.test(path)),
  };
}

const stashLines = (log: string): string[] => log.split('\n').filter((line) => LOG_LINE.test(line));

/** Counts the stashes in the agent's `.git`. Returns 0 if there is none, or if a link leads to them. */
export async function stashesIn(gitDir: string): Promise<number> {
  for (const folder of ['.', 'logs', 'logs/refs']) {
    if ((await lstat(join(gitDir, folder)).catch(() => null))?.isDirectory() !== true) return 0;
  }
  const path = join(gitDir, STASH_LOG);
  if ((await lstat(path).catch(() => null))?.isFile() !== true) return 0;
  return stashLines(await textOf(path)).length;
}

/** Copies objects and stashes of the git directory `from` into the one at `to`. */
export async function carryOver(kept: AgentKept, from: string, to: string): Promise<void> {
  for (const path of kept.objects) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
  }
  if (kept.stashLog === '') return;
  await mkdir(dirname(join(to, STASH_LOG)), { recursive: true });
  await writeFile(join(to, STASH_LOG), kept.stashLog);
}
