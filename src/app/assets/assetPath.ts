/** The folder of the files of `assets/` that are read at run time. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A build copies them beside its chunks; without a build they are read from the source tree. */
export function assetPath(...names: readonly string[]): string {
  const bundled = fileURLToPath(new URL('./assets', import.meta.url));
  const folder = existsSync(bundled) ? bundled : fileURLToPath(new URL('../../../assets', import.meta.url));
  return join(folder, ...names);
}
