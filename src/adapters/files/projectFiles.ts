/** Reads, replaces and watches PROJECT.md in the folders of projects on the disk. */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isPlainName } from '../../core/guard/hiddenNames.ts';
import type { FolderWatch, FoundFile, ProjectFiles } from '../../engine/project/definition/definitionPorts.ts';
import { replaceFile } from '../../engine/state/filePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { asFailure, errnoOf, failure, messageOf } from '../../shared/errors.ts';

const FILE = 'PROJECT.md';
/** Contains the mark of the last text written by the owner: a text with another mark was edited by a person. */
const NOTE = '.PROJECT.md.note';
const MAX_NOTE = 100;
/** Only this file creates the last one. */
const FOLDERS = ['session', 'memory', 'memory/facts', 'memory/episodes', 'skills'];
const LAST_FOLDER = 'skills';

export interface ProjectFilesOptions {
  /** `.autonomous/projects` */
  readonly projectsDir: string;
  readonly ops: FileOps;
  /** Bytes of the largest PROJECT.md that is read. */
  readonly maxBytes: number;
}

async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (asFailure(thrown).code !== 'INTERNAL') throw thrown;
    throw failure('DISK', `cannot write ${what}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

export function openProjectFiles(options: ProjectFilesOptions): ProjectFiles {
  const { projectsDir, ops, maxBytes } = options;
  const at = (name: string, ...path: string[]): string => join(projectsDir, name, ...path);

  async function probe(name: string): Promise<Exclude<FoundFile, { kind: 'file' }> | { readonly kind: 'file' }> {
    if (!isPlainName(name)) return { kind: 'refused', what: 'has no folder: its name cannot be a folder name' };
    const folder = await ops.stat(at(name));
    if (folder === null) return { kind: 'no_folder' };
    if (folder.kind !== 'folder') return { kind: 'refused', what: `has no folder: ${at(name)} is a ${folder.kind}` };
    const file = await ops.stat(at(name, FILE));
    if (file === null) return { kind: (await ops.stat(at(name, LAST_FOLDER))) === null ? 'bare_folder' : 'no_file' };
    if (file.kind !== 'file') return { kind: 'refused', what: `is a ${file.kind} and no file` };
    return { kind: file.size > maxBytes ? 'large' : 'file' };
  }

  async function look(name: string): Promise<FoundFile> {
    const found = await probe(name);
    if (found.kind !== 'file') return found;
    const bytes = await ops.read(at(name, FILE));
    // It went between the two calls.
    if (bytes === null) return look(name);
    return bytes.length > maxBytes ? { kind: 'large' } : { kind: 'file', bytes };
  }

  /** Throws NOT_PERMITTED if one of these folders is something else. */
  async function makeFolders(name: string): Promise<void> {
    for (const path of ['', ...FOLDERS]) {
      const stat = await ops.stat(at(name, path));
      if (stat !== null && stat.kind !== 'folder') {
        throw failure('NOT_PERMITTED', `${at(name, path)} is not a folder`, { hint: 'Move it away.' });
      }
      if (stat === null) await ops.makeDir(at(name, path));
    }
  }

  return {
    names: () => ops.list(projectsDir),
    probe: async (name) => (await probe(name)).kind,
    look,
    noted: async (name) => {
      const bytes = await ops.read(at(name, NOTE), MAX_NOTE);
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    },
    note: (name, mark) => onDisk(at(name, NOTE), () => replaceFile(ops, at(name, NOTE), Buffer.from(mark))),
    write: (name, text, mark) =>
      onDisk(at(name, FILE), async () => {
        await makeFolders(name);
        await replaceFile(ops, at(name, FILE), Buffer.from(text));
        // Written last: a kill between the two leaves a text that equals the known one, so it does not count as an edit.
        await replaceFile(ops, at(name, NOTE), Buffer.from(mark));
      }),
    keep: (name, bytes, time) =>
      onDisk(at(name, FILE), async () => {
        const stamp = time.replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
        for (let n = 1; ; n++) {
          const kept = `${FILE}.${stamp}${n === 1 ? '' : `-${n}`}.edited`;
          if (await ops.create(at(name, kept), bytes)) return kept;
        }
      }),
    watch: (changed, failed) => watchFolders(projectsDir, changed, failed),
  };
}

function watchFolders(
  projectsDir: string,
  changed: (name: string) => void,
  failed: (thrown: unknown) => void,
): FolderWatch {
  const followed = new Set<string>();
  const watchers = new Map<string, FSWatcher>();
  let parent: FSWatcher | null = null;

  function begin(path: string, heard: (kind: string, file: string | null) => void): FSWatcher | null {
    try {
      const watcher = watch(path, { persistent: false }, heard);
      // On some systems, the removal of a folder is an error of its watcher.
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (thrown) {
      const code = errnoOf(thrown);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') failed(thrown);
      return null;
    }
  }

  /** Detects folders that are removed, and those that are created again. */
  function watchParent(): void {
    parent ??= begin(projectsDir, (kind, name) => {
      if (name === null || !followed.has(name)) return;
      // Another folder under the same name.
      if (kind === 'rename') drop(name);
      changed(name);
    });
  }

  function drop(name: string): void {
    watchers.get(name)?.close();
    watchers.delete(name);
  }

  return {
    follow: (name) => {
      followed.add(name);
      watchParent();
      if (watchers.has(name)) return;
      const watcher = begin(join(projectsDir, name), (_, file) => {
        if (file === null || file === FILE || file === name) changed(name);
      });
      if (watcher !== null) watchers.set(name, watcher);
    },
    unfollow: (name) => {
      followed.delete(name);
      drop(name);
    },
    close: () => {
      parent?.close();
      for (const name of [...watchers.keys()]) drop(name);
      followed.clear();
    },
  };
}
