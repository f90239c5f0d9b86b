/** People's own templates of projects: `<name>.md` in a few folders. */
import { join } from 'node:path';
import type { FileOps } from '../engine/ports.ts';
import type { TemplateFiles } from '../projects/templatePorts.ts';

const END = '.md';

/** The first folder that has a name counts. What is larger, or no file, is left out. */
export function templateFiles(folders: readonly string[], ops: FileOps, maxBytes: number): TemplateFiles {
  return {
    names: async () => {
      const lists = await Promise.all(folders.map((folder) => ops.list(folder)));
      return lists.flat().flatMap((file) => (file.endsWith(END) ? [file.slice(0, -END.length)] : []));
    },
    read: async (name) => {
      for (const folder of folders) {
        const path = join(folder, name + END);
        const stat = await ops.stat(path);
        if (stat?.kind !== 'file' || stat.size > maxBytes) continue;
        const bytes = await ops.read(path);
        if (bytes !== null) return { path, bytes };
      }
      return null;
    },
  };
}
