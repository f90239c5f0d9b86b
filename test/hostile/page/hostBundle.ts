/** Code of the host as it is built, or with a bug in it, over a stand-in for the editor that the test gives. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { type PlantedBug, planting } from '../../support/suite/plantedBug.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const EDITOR = 'hostileTestEditor';

const editor: Plugin = {
  name: 'editor',
  setup(made) {
    made.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'editor' }));
    made.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({
      contents: `module.exports = globalThis.${EDITOR};`,
      loader: 'js',
    }));
  },
};

/** What these modules export, over this editor. */
export async function hostWith<Modules>(
  tempRoot: string,
  modules: readonly string[],
  given: object,
  bug: PlantedBug | null = null,
): Promise<Modules> {
  const folder = await mkdtemp(join(tempRoot, 'host-'));
  try {
    const { outputFiles } = await build({
      stdin: { contents: modules.map((path) => `export * from './${path}';`).join('\n'), resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      banner: {
        js: "import { createRequire as made } from 'node:module'; const require = made(import.meta.url);",
      },
      plugins: [editor, ...(bug === null ? [] : [planting(bug)])],
    });
    const file = join(folder, 'host.mjs');
    await writeFile(file, outputFiles[0]?.text ?? '');
    Reflect.set(globalThis, EDITOR, given);
    return (await import(pathToFileURL(file).href)) as Modules;
  } finally {
    Reflect.deleteProperty(globalThis, EDITOR);
    await rm(folder, { recursive: true, force: true });
  }
}
