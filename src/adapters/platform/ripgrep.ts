/** Finds ripgrep, which searches the work tree. */
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { errnoOf } from '../../shared/errors.ts';
import { findExecutable, isExecutable, ownFolders } from './executables.ts';
import { type Environment, platform } from './platform.ts';

/**
 * Environment variable with the absolute path of the `rg` of the editor that contains this process. That file is in a
 * folder of packages, so that no PATH may name it.
 */
const EDITORS_RIPGREP = 'AUTONOMOUS_RIPGREP';
const NAME = platform.name === 'windows' ? 'rg.exe' : 'rg';
/** As the package names its parts. */
const BUILD = `${process.platform}-${process.arch}`;

/**
 * The environment in an editor: the sandbox needs a ripgrep, and an installed extension has no package for it.
 * `appRoot`: folder of the editor.
 */
export function withEditorsRipgrep(env: Environment, appRoot: string): Environment {
  const found = ['node_modules', 'node_modules.asar.unpacked']
    .flatMap((modules) => [
      join(appRoot, modules, '@vscode', 'ripgrep', 'bin', NAME),
      join(appRoot, modules, '@vscode', 'ripgrep-universal', 'bin', BUILD, NAME),
    ])
    .find(isExecutable);
  return found === undefined ? env : { ...env, [EDITORS_RIPGREP]: found };
}

/** The `rg` of this package, or else that of the editor, or else one on PATH. */
export function findRipgrep(environment: Environment): string | null {
  const require = createRequire(import.meta.url);
  try {
    const own = createRequire(require.resolve('@vscode/ripgrep')).resolve(`@vscode/ripgrep-${BUILD}/bin/${NAME}`);
    if (isExecutable(own)) return own;
  } catch (thrown) {
    // Its binaries are optional packages, which may be missing for this platform.
    if (errnoOf(thrown) === undefined) throw thrown;
  }
  const editors = environment[EDITORS_RIPGREP] ?? '';
  if (isAbsolute(editors) && isExecutable(editors)) return editors;
  return findExecutable('rg', ownFolders(environment['PATH'] ?? ''));
}
