/** Computes the paths of a workspace: its root, state, jobs, and the installation's folders. */
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { failure } from '../../shared/errors.ts';

/** In the top of the repository. */
export const STATE_FOLDER = '.autonomous';

export interface WorkspacePaths {
  /** Top of the repository, real path. */
  readonly projectDir: string;
  /** `.autonomous` */
  readonly stateDir: string;
  /** Folder of this workspace's jobs. */
  readonly jobsDir: string;
  readonly configDir: string;
  readonly runtimeDir: string;
}

export interface WorkspacePathPorts {
  /** A link to a folder is one. */
  isFolder(path: string): boolean;
  exists(path: string): boolean;
  realPath(path: string): Promise<string>;
  /** The folder of all workspaces' jobs, and the installation's own two. */
  readonly own: Pick<WorkspacePaths, 'jobsDir' | 'configDir' | 'runtimeDir'>;
}

/**
 * The nearest folder that is a repository's top or has a state. Defaults to the folder itself, so that the caller can reject it
 * with a reason.
 */
function topOf(folder: string, { exists }: WorkspacePathPorts): string {
  for (let at = folder; ; at = dirname(at)) {
    if (exists(join(at, '.git')) || exists(join(at, STATE_FOLDER, 'events'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** The folder of all workspaces' jobs. Returns a folder with any other name unchanged. */
export function jobsRootOf(jobsDir: string): string {
  return /-[0-9a-f]{8}$/.test(jobsDir) ? dirname(jobsDir) : jobsDir;
}

/** Throws NOT_A_REPOSITORY if the folder does not exist: the state of a mistyped folder would be made there otherwise. */
async function existing(folder: string, { isFolder, realPath }: WorkspacePathPorts): Promise<string> {
  const named = resolve(folder);
  if (!isFolder(named)) throw failure('NOT_A_REPOSITORY', `no such folder: ${named}`, { details: { folder: named } });
  return realPath(named);
}

/** Throws NOT_A_REPOSITORY if `folder` does not exist. */
export async function workspacePathsOf(ports: WorkspacePathPorts, folder: string): Promise<WorkspacePaths> {
  const real = await existing(folder, ports);
  const projectDir = topOf(real, ports);
  const hash = createHash('sha256').update(projectDir).digest('hex').slice(0, 8);
  const name = basename(projectDir).replaceAll(/[^\w.-]+/g, '-') || 'root';
  return {
    ...ports.own,
    projectDir,
    stateDir: join(projectDir, STATE_FOLDER),
    jobsDir: join(ports.own.jobsDir, `${name}-${hash}`),
  };
}
