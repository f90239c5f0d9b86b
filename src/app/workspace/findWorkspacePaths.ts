/** Finds the paths of a workspace on this machine. */
import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { configDir, defaultJobsDir, runtimeDir } from '../../adapters/paths.ts';
import { type WorkspacePaths, workspacePathsOf } from '../../engine/state/workspacePaths.ts';

/**
 * `jobsDir`: null for the default in the user's home, outside the workspace, so that watchers and search are not
 * affected. Throws NOT_A_REPOSITORY if `folder` does not exist.
 */
export function findWorkspacePaths(folder: string, jobsDir: string | null): Promise<WorkspacePaths> {
  const ports = {
    isFolder: (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    exists: existsSync,
    realPath: realpath,
    own: { jobsDir: jobsDir ?? defaultJobsDir(), configDir: configDir(), runtimeDir: runtimeDir() },
  };
  return workspacePathsOf(ports, folder);
}
