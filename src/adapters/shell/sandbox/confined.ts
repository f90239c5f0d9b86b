/** Prepares a sandbox for one command. */

import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import { shellQuote } from '../../../core/text/shellQuote.ts';
import type { CommandSession } from '../../../engine/session/commandPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isWithin } from '../../platform/executables.ts';
import { type Environment, platform, type Shell } from '../../platform/platform.ts';
import { scriptWords } from '../commandShell.ts';
import { commandEnvironment, inheritedEnvironment, MARKER } from '../environment.ts';
import { type Launch, TASKS_PER_PROCESS } from '../process/processLife.ts';
import type { HeldNetwork } from './heldNetwork.ts';
import { COUNT_BEFORE, countedRun, leftRunningNote } from './leftRunning.ts';
import type { LocalRelay } from './localRelay.ts';
import { readOnlyTmpNote } from './ownTmp.ts';
import type { CommandFolders, PrivateFolders } from './privateFolders.ts';
import type { Registries } from './registries.ts';
import { wrapInSandbox } from './sandboxRuntime.ts';
import type { SandboxTools } from './sandboxTools.ts';

export interface ConfinedContext {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly shell: Shell;
  readonly denyRead: readonly string[];
  /** Readable exceptions inside those folders. */
  readonly allowRead: readonly string[];
  readonly folders: PrivateFolders;
  /** Whether commands see the machine's `/tmp`, because it contains something that they need. */
  readonly needsMachinesTmp: boolean;
  readonly registries: Registries;
  readonly maxProcesses: number;
  readonly floodBytes: number;
  /**
   * Homes of running interactive programs: each home has one at a time, so that programs do not replace each other's
   * files.
   */
  readonly talking: Set<string>;
  /** Shared networks of the sessions that started a command in the background. */
  readonly networks: Map<CommandSession, HeldNetwork>;
}

/** Largest single file, in the 512-byte blocks of `ulimit -f`: 4 GiB. */
const FILE_BLOCKS = 8_388_608;

/**
 * Since Linux 5.14 the bound counts the tasks of a user namespace; before, those of the user, which would be too many
 * at once. It does not bind root: for root, the supervisor creates a cgroup. (dash calls it -p.)
 */
function countsTasksPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return platform.name === 'linux' && process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

/** The parameters of a sandbox. */
export interface SandboxRequest {
  readonly cwd: string;
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Paths that it may not read although they are inside one of these. */
  readonly hidden: readonly string[];
  readonly env: Environment;
  /** Shell text that runs inside. */
  readonly script: string;
  /** `merged`: stderr joins stdout, so that the order is kept; the outer stderr then contains only errors of the sandbox. */
  readonly streams: 'merged' | 'apart';
  readonly hosts: readonly string[];
  readonly local: LocalRelay | null;
  readonly heldNetwork: HeldNetwork | null;
  /** Whether the command's temp folder is also its `/tmp`. */
  readonly ownTmp: boolean;
  readonly signal: AbortSignal;
}

/** A prepared sandbox, not yet started. */
export interface SandboxLaunch extends Pick<Launch, 'file' | 'args' | 'cwd' | 'env' | 'marker'> {
  /** Whether the sandbox has started and the script was reached. */
  started(): boolean;
  /** Notes for the reader of its output. */
  notes(output: string): readonly string[];
  /** Call once, after everything inside has ended. */
  leave(): Promise<void>;
}

/**
 * Shell text that runs inside, before the script's shell. The command's environment is set only here, so that nothing
 * in it (LD_PRELOAD, say) affects the programs that build the sandbox, and from a file, so that no secret of it is on a
 * command line, which every user of the machine can read. Its trace file proves that the sandbox started.
 */
function opening(
  tasks: number,
  stay: SandboxRequest,
  shell: Shell,
  files: Record<'started' | 'script' | 'exports' | 'left', string>,
): string {
  const isCounted = stay.streams === 'merged' && platform.name === 'linux';
  const run = stay.streams === 'apart' ? `/bin/sh ${shellQuote(files.script)}` : scriptWords(shell, files.script);
  return [
    ...(stay.streams === 'merged' ? ['exec 2>&1'] : []),
    ...(isCounted ? [COUNT_BEFORE] : []),
    `: > ${shellQuote(files.started)}`,
    `cd ${shellQuote(stay.cwd)} || exit 126`,
    `ulimit -c 0; ulimit -f ${FILE_BLOCKS}`,
    ...(countsTasksPerNamespace() ? [`{ ulimit -u ${tasks} || ulimit -p ${tasks}; } 2>/dev/null`] : []),
    `. ${shellQuote(files.exports)}`,
    // Bash would run this file before the command.
    'unset BASH_ENV',
    isCounted ? countedRun(run, files.left) : `exec ${run}`,
  ].join('\n');
}

export async function prepareSandbox(
  stay: SandboxRequest,
  folders: CommandFolders,
  tools: SandboxTools,
  context: ConfinedContext,
): Promise<SandboxLaunch> {
  // macOS has no namespace that ends the descendants: they are searched for.
  const marker = platform.name === 'linux' ? null : randomUUID();
  const env = {
    ...commandEnvironment(context.environment, stay.env, stay.ownTmp ? { ...folders, tmp: '/tmp' } : folders),
    ...(marker === null ? {} : { [MARKER]: marker }),
  };
  // In files, because a command line has a limited length and each layer of quoting makes it longer.
  const files = {
    script: join(folders.run, 'command'),
    started: join(folders.run, 'started'),
    exports: join(folders.run, 'exports'),
    left: join(folders.run, 'left'),
  };
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}\n`);
  writeFileSync(files.script, `${stay.script}\n`, { mode: 0o600 });
  writeFileSync(files.exports, exports.join(''), { mode: 0o600 });
  const ownTmp = isWithin(folders.tmp, folders.run) ? [] : [folders.tmp];
  const writable = [...stay.writable.map((path) => resolve(path)), folders.home, folders.run, ...ownTmp];
  const readable = [stay.cwd, ...stay.readable.map((path) => resolve(path)), ...context.allowRead];
  const policy = {
    writable,
    // Writable folders are readable; if they were listed here too, the library would make them read-only.
    readable: readable.filter((path) => !writable.some((folder) => isWithin(path, folder))),
    denyRead: [...context.denyRead, ...stay.hidden],
    hosts: stay.hosts,
    local: stay.local,
    heldNetwork: stay.heldNetwork,
    run: folders.run,
    tmp: stay.ownTmp ? folders.tmp : null,
  };
  const inside = opening(context.maxProcesses * TASKS_PER_PROCESS, stay, context.shell, files);
  const wrapped = await wrapInSandbox(tools, policy, inside, stay.signal);
  return {
    file: wrapped.argv[0],
    args: wrapped.argv.slice(1),
    cwd: stay.cwd,
    env: { ...inheritedEnvironment(context.environment), ...(marker === null ? {} : { [MARKER]: marker }) },
    marker,
    started: () => existsSync(files.started),
    notes: (output) =>
      [leftRunningNote(files.left), stay.ownTmp ? null : readOnlyTmpNote(output)].filter((note) => note !== null),
    leave: wrapped.release,
  };
}
