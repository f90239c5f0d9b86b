/** Reads templates of projects or tasks: files with one ending in a folder. */
import { join } from 'node:path';
import { isPlainName } from '../../core/guard/hiddenNames.ts';
import type { TemplateFiles } from '../../engine/project/definition/templatePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';

interface Kind {
  /** Includes the dot. */
  readonly ending: string;
  readonly maxBytes: number;
}

/** Larger files, entries that are not files, and names that some system refuses are ignored. */
export function templateFiles(folder: string, ops: FileOps, { ending, maxBytes }: Kind): Omit<TemplateFiles, 'origin'> {
  const found = async (file: string): Promise<boolean> => {
    if (!isPlainName(file)) return false;
    const stat = await ops.stat(join(folder, file));
    return stat?.kind === 'file' && stat.size <= maxBytes;
  };
  return {
    names: async () => {
      const names: string[] = [];
      for (const file of await ops.list(folder)) {
        if (file.endsWith(ending) && (await found(file))) names.push(file.slice(0, -ending.length));
      }
      return names;
    },
    read: async (name) => {
      if (!(await found(name + ending))) return null;
      const path = join(folder, name + ending);
      const bytes = await ops.read(path);
      return bytes === null ? null : { path, bytes };
    },
  };
}
