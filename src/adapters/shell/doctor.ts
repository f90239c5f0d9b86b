/** Checks every requirement of a run on this machine. Changes nothing; shows no secret. */
import { spawnSync } from 'node:child_process';
import { lstatSync, statfsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { KEY_MISSING } from '../../core/workspace/notReady.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Diagnostic, KeyFound } from '../../shared/diagnostic.ts';
import { messageOf } from '../../shared/errors.ts';
import { findExecutable, ownFolders } from '../platform/executables.ts';
import { type Environment, platform } from '../platform/platform.ts';
import { processSystem } from '../platform/process/processSystem.ts';
import type { ShellRunner } from './commandRunner.ts';
import { bad, good, unknown } from './diagnostic.ts';
import { inheritedEnvironment } from './environment.ts';
import { awakeProgram } from './keepAwake.ts';

export interface DoctorOptions {
  readonly clock: Clock;
  readonly runner: ShellRunner;
  readonly environment: Environment;
  /** Folders of clones and state; only the free space of their disk matters. */
  readonly folders: readonly string[];
  /** Folder of the owner's socket. */
  readonly runtimeDir: string;
  readonly key: KeyFound;
}

const MIN_NODE = 22;
/** `git merge-tree --write-tree`. */
const MIN_GIT = [2, 38] as const;
const LOW_DISK = 2 * 1024 ** 3;
/** A socket's path may have about 104 bytes; this leaves space for its name. */
const MAX_RUNTIME_DIR = 80;

function node(): Diagnostic {
  const major = Number(process.versions.node.split('.')[0]);
  return major >= MIN_NODE
    ? good('node', process.versions.node)
    : bad(
        'node',
        `Node ${process.versions.node} is too old`,
        `install Node ${MIN_NODE} or newer from https://nodejs.org`,
      );
}

function git(environment: Environment): Diagnostic {
  const file = findExecutable('git', ownFolders(environment['PATH'] ?? ''));
  if (file === null) return bad('git', 'git is not installed', 'install git with your package manager');
  const said = spawnSync(file, ['--version'], {
    encoding: 'utf8',
    env: inheritedEnvironment(environment),
    timeout: 10_000,
  });
  const match = /(\d+)\.(\d+)(?:\.\d+)*/.exec(said.stdout ?? '');
  const [major, minor] = [Number(match?.[1]), Number(match?.[2])];
  const enough = major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1]);
  return match !== null && enough
    ? good('git', match[0])
    : bad(
        'git',
        `git ${match?.[0] ?? 'does not say its version'} is too old`,
        `install git ${MIN_GIT.join('.')} or newer`,
      );
}

/** The deepest existing folder on the way to `path`. */
function existing(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) !== undefined || dirname(at) === at) return at;
  }
}

function disk(folder: string): Diagnostic {
  const { bavail, bsize } = statfsSync(existing(folder));
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB free for ${folder}`;
  return free >= LOW_DISK ? good('disk', text) : bad('disk', text, 'free some space, or choose another jobs folder');
}

function runtime(folder: string): Diagnostic {
  const name = 'runtime-dir';
  if (platform.pipe === null && Buffer.byteLength(folder) > MAX_RUNTIME_DIR) {
    return bad(name, `${folder} is too long a path for a socket`, 'set AUTONOMOUS_RUNTIME_DIR to a shorter path');
  }
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return good(name, `${folder} will be made`);
  const uid = process.getuid?.();
  if (!stat.isDirectory()) return bad(name, `${folder} is not a folder, or is a link`, `remove it: rm ${folder}`);
  if (uid !== undefined && stat.uid !== uid) {
    return bad(
      name,
      `${folder} belongs to another user`,
      'set AUTONOMOUS_RUNTIME_DIR to a folder that only you can use',
    );
  }
  const open = platform.hasModes && (stat.mode & 0o077) !== 0;
  return open ? bad(name, `${folder} is open to other users`, `run: chmod 700 ${folder}`) : good(name, folder);
}

const SHORT =
  ', but too short to be taken out of logs, transcripts and exports: fine for a dummy key of a local server, not for a real one';

function key({ source, short }: KeyFound): Diagnostic {
  const name = 'api-key';
  const aside = short ? SHORT : '';
  switch (source) {
    case 'stored':
      return good(name, `stored in the secret storage${aside}`);
    case 'environment':
      return good(name, `ANTHROPIC_API_KEY is set${aside}`);
    case 'unneeded':
      return good(name, 'not needed by the chosen provider');
    case 'none':
      return bad(name, KEY_MISSING.message, KEY_MISSING.hint);
  }
}

/** Only Windows needs a program for it. Never bad: commands work without it. */
async function jobObjects(clock: Clock): Promise<readonly Diagnostic[]> {
  if (platform.name !== 'windows') return [];
  const name = 'job-objects';
  return [
    (await processSystem.ready(clock))
      ? good(name, 'Windows PowerShell can hold what commands start')
      : unknown(
          name,
          'what a command leaves running is not ended: Windows PowerShell does not start or answer, or a policy refuses its Add-Type',
        ),
  ];
}

/** Never bad: a server needs nothing for it. */
function awake(environment: Environment): Diagnostic {
  const name = 'keep-awake';
  try {
    const { file } = awakeProgram({ environment, outside: [] });
    return good(name, `${basename(file)} keeps this machine awake while work runs`);
  } catch (thrown) {
    return unknown(name, `this machine may sleep while work runs: ${messageOf(thrown)}`);
  }
}

/** One finding per check. The escapes of the sandbox are probed again. */
export async function diagnose(options: DoctorOptions): Promise<Diagnostic[]> {
  const { diagnostics } = await options.runner.probe();
  return [
    node(),
    git(options.environment),
    ...diagnostics,
    ...options.folders.map(disk),
    runtime(options.runtimeDir),
    ...(await jobObjects(options.clock)),
    awake(options.environment),
    key(options.key),
  ];
}
