/** Where a workspace's things lie: its root, state, jobs, and the installation's own folders. */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { configDir, defaultJobsDir, runtimeDir } from '../adapters/paths.ts';
import { failure } from '../shared/errors.ts';

export interface Places {
  /** Top of the repository, real path. */
  readonly projectDir: string;
  /** `.autonomous` */
  readonly stateDir: string;
  /** Folder of this workspace's jobs. */
  readonly jobsDir: string;
  readonly configDir: string;
  readonly runtimeDir: string;
}

/** The nearest folder that is a repository's top or has a state; else the folder itself, for whoever refuses it to say why. */
function topOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, '.autonomous', 'events'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** The folder of all workspaces' jobs, or the folder itself when it is none that was named here. */
export function jobsRootOf(jobsDir: string): string {
  return /-[0-9a-f]{8}$/.test(jobsDir) ? dirname(jobsDir) : jobsDir;
}

/** Throws NOT_A_REPOSITORY if the folder does not exist: the state of a mistyped folder would be made there otherwise. */
async function existing(folder: string): Promise<string> {
  const named = resolve(folder);
  if (!statSync(named, { throwIfNoEntry: false })?.isDirectory())
    throw failure('NOT_A_REPOSITORY', `no such folder: ${named}`, { details: { folder: named } });
  return realpath(named);
}

/**
 * `jobsDir` null: the default in the user's home, outside the workspace, so that watchers and search stay quiet. Throws
 * NOT_A_REPOSITORY if `folder` does not exist.
 */
export async function findPlaces(folder: string, jobsDir: string | null): Promise<Places> {
  const real = await existing(folder);
  const projectDir = topOf(real);
  const hash = createHash('sha256').update(projectDir).digest('hex').slice(0, 8);
  const name = basename(projectDir).replaceAll(/[^\w.-]+/g, '-') || 'root';
  return {
    projectDir,
    stateDir: join(projectDir, '.autonomous'),
    jobsDir: join(jobsDir ?? defaultJobsDir(), `${name}-${hash}`),
    configDir: configDir(),
    runtimeDir: runtimeDir(),
  };
}
