/** People's own templates, of projects or of tasks: files of one ending in a few folders. */
import { join } from 'node:path';
import { isPlainName } from '../core/hiddenNames.ts';
import type { FileOps } from '../engine/ports.ts';
import type { TemplateFiles } from '../projects/templatePorts.ts';

interface Kind {
  /** With its dot. */
  readonly ending: string;
  readonly maxBytes: number;
}

/** The first folder that has a name counts. What is larger, or no file, is left out. */
export function templateFiles(folders: readonly string[], ops: FileOps, { ending, maxBytes }: Kind): TemplateFiles {
  return {
    names: async () => {
      const lists = await Promise.all(folders.map((folder) => ops.list(folder)));
      return lists.flat().flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []));
    },
    read: async (name) => {
      if (!isPlainName(name + ending)) return null;
      for (const folder of folders) {
        const path = join(folder, name + ending);
        const stat = await ops.stat(path);
        if (stat?.kind !== 'file' || stat.size > maxBytes) continue;
        const bytes = await ops.read(path);
        if (bytes !== null) return { path, bytes };
      }
      return null;
    },
  };
}
