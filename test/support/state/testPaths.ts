import { join } from 'node:path';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';

/** Where all lies that a test needs of an installation: below a folder of its own. */
export function workspacePathsOf(folder: string, projectDir: string): WorkspacePaths {
  return {
    projectDir,
    stateDir: join(projectDir, '.autonomous'),
    jobsDir: join(folder, 'jobs'),
    configDir: join(folder, 'config'),
    runtimeDir: join(folder, 'run'),
  };
}
