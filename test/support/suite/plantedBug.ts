/**
 * Our own code with a bug put into it: a proof that does not catch it proves nothing. What it builds lies in node_modules/.cache,
 * so that packages resolve as they do for src/ and no tool looks at it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { copyAssets, nodeBundle } from '../../../esbuild.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface PlantedBug {
  /** From the root of the repository: `src/…`. */
  readonly file: string;
  /** Stands in the file exactly once: code that has changed since is noticed. */
  readonly find: string;
  readonly put: string;
}

export interface Built {
  /** Of an entry, by its name without extension. */
  program(name: string): URL;
  [Symbol.dispose](): void;
}

/** Bundles entries (paths from the root) as they are shipped; `bugs`: with them, else as they stand. */
export async function buildWith(
  bugs: PlantedBug | readonly PlantedBug[] | null,
  entries: readonly string[],
): Promise<Built> {
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'planted-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await copyAssets(folder);
    const options = nodeBundle([...entries], folder);
    const plugins = [...(options.plugins ?? []), ...(bugs === null ? [] : [planting(...[bugs].flat())])];
    await build({ ...options, entryNames: '[name]', sourcemap: false, plugins });
  } catch (thrown) {
    remove();
    throw thrown;
  }
  return {
    program: (name) => pathToFileURL(join(folder, `${basename(name)}.js`)),
    [Symbol.dispose]: remove,
  };
}

/** An esbuild plugin; also for the page. Throws when a place is not there, or is there twice. */
export function planting(...bugs: readonly PlantedBug[]): Plugin {
  const sources = [...Map.groupBy(bugs, ({ file }) => file)].map(([file, inIt]) => ({
    file,
    source: sourceWith(inIt),
  }));
  return {
    name: 'planted-bug',
    setup(made) {
      for (const { file, source } of sources) {
        const exactly = new RegExp(`${join(ROOT, file).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
        const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
        made.onLoad({ filter: exactly }, () => ({ contents: source, loader }));
      }
    },
  };
}

/** `bugs`: of one file. */
function sourceWith(bugs: readonly PlantedBug[]): string {
  return bugs.reduce(
    (source, { file, find, put }) => {
      const places = source.split(find).length - 1;
      if (places !== 1) throw new Error(`${file} has ${places} places like: ${find}`);
      return source.replace(find, () => put);
    },
    readFileSync(join(ROOT, bugs[0]?.file ?? ''), 'utf8'),
  );
}
