import { join } from 'node:path';
import type { Places } from '../../../src/engine/state/places.ts';

/** Where all lies that a test needs of an installation: below a folder of its own. */
export function placesOf(folder: string, projectDir: string): Places {
  return {
    projectDir,
    stateDir: join(projectDir, '.autonomous'),
    jobsDir: join(folder, 'jobs'),
    configDir: join(folder, 'config'),
    runtimeDir: join(folder, 'run'),
  };
}
