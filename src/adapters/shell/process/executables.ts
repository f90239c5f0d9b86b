/** Finds programs by absolute path, never in a folder that others may write. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { errnoOf } from '../../../shared/errors.ts';
import type { Environment } from '../environment.ts';

/** Whether `path` is `folder` or inside it; both absolute and resolved. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The real path, or the given path if nothing exists there. */
export function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return path;
    throw thrown;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return false;
    throw thrown;
  }
}

/**
 * Absolute path of a program on `path` (a PATH value), or null. Relative entries are ignored, and so are files that are
 * inside, or lead into, one of the `outside` folders. A name with a slash is taken unchanged, if absolute.
 */
export function findExecutable(name: string, path: string, outside: readonly string[] = []): string | null {
  const banned = outside.flatMap((folder) => [folder, resolved(folder)]);
  const permitted = (file: string): boolean =>
    ![file, resolved(file)].some((place) => banned.some((folder) => isWithin(place, folder)));
  const candidates = name.includes('/')
    ? [name]
    : path
        .split(delimiter)
        .filter((folder) => isAbsolute(folder))
        .map((folder) => join(folder, name));
  return candidates.find((file) => isAbsolute(file) && isExecutable(file) && permitted(file)) ?? null;
}

/**
 * A PATH without the folders of packages: no program that runs outside the sandbox comes from a package, not even to
 * print its version.
 */
export function ownFolders(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !folder.split(sep).includes('node_modules'))
    .join(delimiter);
}

/**
 * Environment variable with the absolute path of the `rg` of the editor that contains this process. That file is in a
 * folder of packages, so that no PATH may name it.
 */
const EDITORS_RIPGREP = 'AUTONOMOUS_RIPGREP';
const RIPGREP = process.platform === 'win32' ? 'rg.exe' : 'rg';

/**
 * The environment in an editor: the sandbox needs a ripgrep, and an installed extension has no package for it.
 * `appRoot`: folder of the editor.
 */
export function withEditorsRipgrep(env: Environment, appRoot: string): Environment {
  const found = ['node_modules', 'node_modules.asar.unpacked']
    .flatMap((modules) => [
      join(appRoot, modules, '@vscode', 'ripgrep', 'bin', RIPGREP),
      join(appRoot, modules, '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, RIPGREP),
    ])
    .find(isExecutable);
  return found === undefined ? env : { ...env, [EDITORS_RIPGREP]: found };
}

/** The `rg` of this package, or else that of the editor, or else one on PATH. */
export function findRipgrep(environment: Environment): string | null {
  const require = createRequire(import.meta.url);
  try {
    const own = createRequire(require.resolve('@vscode/ripgrep')).resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${RIPGREP}`,
    );
    if (isExecutable(own)) return own;
  } catch (thrown) {
    // Its binaries are optional packages, which may be missing for this platform.
    if (errnoOf(thrown) === undefined) throw thrown;
  }
  const editors = environment[EDITORS_RIPGREP] ?? '';
  if (isAbsolute(editors) && isExecutable(editors)) return editors;
  return findExecutable(RIPGREP, ownFolders(environment['PATH'] ?? ''));
}
