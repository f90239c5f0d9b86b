/** Templates that lie in files, of projects or of tasks: files of one ending in a folder. */
import { join } from 'node:path';
import { isPlainName } from '../core/hiddenNames.ts';
import type { FileOps } from '../engine/ports.ts';
import type { TemplateFiles } from '../projects/templatePorts.ts';

interface Kind {
  /** With its dot. */
  readonly ending: string;
  readonly maxBytes: number;
}

/** What is larger, or no file, is left out. */
export function templateFiles(folder: string, ops: FileOps, { ending, maxBytes }: Kind): Omit<TemplateFiles, 'origin'> {
  return {
    names: async () =>
      (await ops.list(folder)).flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : [])),
    read: async (name) => {
      if (!isPlainName(name + ending)) return null;
      const path = join(folder, name + ending);
      const stat = await ops.stat(path);
      if (stat?.kind !== 'file' || stat.size > maxBytes) return null;
      const bytes = await ops.read(path);
      return bytes === null ? null : { path, bytes };
    },
  };
}
