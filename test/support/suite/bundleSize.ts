/** What of a bundle is read before any lazy part is. */
import type { Metafile } from 'esbuild';

export interface Eager {
  readonly bytes: number;
  /** Packages that are in it, by name. */
  readonly packages: readonly string[];
}

/** Of the output that this source file is the entry of, with all that it imports statically. */
export function eagerPart({ outputs }: Metafile, entry: string): Eager {
  const open = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry);
  if (open.length !== 1) throw new Error(`there is no bundle of ${entry}`);
  const files = new Set(open);
  const packages = new Set<string>();
  let bytes = 0;
  for (const path of files) {
    const output = outputs[path];
    if (output === undefined) continue;
    bytes += output.bytes;
    for (const input of Object.keys(output.inputs)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
      if (name !== undefined) packages.add(name);
    }
    for (const { path: imported, kind, external } of output.imports) {
      if (kind === 'import-statement' && external !== true) files.add(imported);
    }
  }
  return { bytes, packages: [...packages].sort() };
}
