/** What VS Code runs in its extension host is one CommonJS file. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/setup.mjs';

/** Builds `test/host/<name>/index.ts` into a folder and returns the file. */
export async function bundle(name: 'hand' | 'suite', folder: string): Promise<string> {
  const outfile = join(folder, `${name}.js`);
  await build({
    entryPoints: [join(root, 'test', 'host', name, 'index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    define: { 'import.meta.dirname': '__dirname' },
    external: ['vscode'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return outfile;
}
