/** Checks which repository a project may be asked to work on. Trust is checked separately: `core/project/projectTrust.ts`. */
import { isAbsolute, join } from 'node:path';
import { mayBeWithin } from '../../core/guard/foldedPath.ts';
import type { Parked } from '../../core/project/parked.ts';
import { failure } from '../../shared/errors.ts';

export interface WorkdirPorts {
  /** Null if the path does not exist. */
  realPath(path: string): Promise<string | null>;
  /** Top folder of the repository, real path. Throws NOT_A_REPOSITORY and the like. */
  topOf(path: string): Promise<string>;
  /** Whether the folder is a repository's top still, looked at quickly. */
  isTop(path: string): Promise<boolean>;
  /** Real paths. */
  readonly places: {
    readonly projectDir: string;
    readonly stateDir: string;
    readonly jobsDir: string;
    readonly configDir: string;
    readonly home: string;
  };
}

const touch = (a: string, b: string): boolean => mayBeWithin(a, b) || mayBeWithin(b, a);

/** Reason why a project must not work in this folder. Null if it may. */
function unfit(path: string, { home, stateDir, jobsDir, configDir }: WorkdirPorts['places']): string | null {
  if (join(path, '..') === path) return 'it is the root of the file system';
  if (mayBeWithin(home, path)) return 'it holds the home folder';
  if (touch(path, stateDir)) return 'it overlaps the state folder of Autonomous';
  if (touch(path, jobsDir)) return 'it overlaps the folder of job clones';
  return touch(path, configDir) ? 'it overlaps the folder of Autonomous keys' : null;
}

/**
 * The top of the repository at the path. Null for the workspace's own. Throws INVALID_INPUT, NOT_A_REPOSITORY and git's errors.
 */
export async function checkWorkdir(ports: WorkdirPorts, given: string): Promise<string | null> {
  const { places } = ports;
  const path = /^~(?:[\\/]|$)/.test(given) ? join(places.home, given.slice(1)) : given;
  const refuse = (why: string, hint = 'Name the top folder of a git repository.') =>
    failure('INVALID_INPUT', `the workdir ${given} cannot be used: ${why}`, { hint, details: { path: given } });
  if (!isAbsolute(path)) throw refuse('it is not an absolute path');
  const real = await ports.realPath(path);
  if (real === null) throw refuse('it does not exist');
  if (real === places.projectDir) return null;
  const before = unfit(real, places);
  if (before !== null) throw refuse(before);
  const top = await ports.topOf(real);
  if (top === places.projectDir) return null;
  const after = unfit(top, places);
  if (after !== null) throw refuse(`its repository is ${top}, and ${after}`);
  return top;
}

/** Reason why an accepted workdir cannot be used now. Null if it can. Fast, because it does not call git. */
export async function workdirFault(ports: WorkdirPorts, path: string): Promise<Parked | null> {
  const real = await ports.realPath(path);
  if (real === null) return { for: 'workdir', what: `${path} is missing` };
  if (real !== path) return { for: 'workdir', what: `${path} is another folder now: ${real}` };
  return (await ports.isTop(path)) ? null : { for: 'workdir', what: `${path} is not a git repository any more` };
}
