/** Runs one command in the sandbox. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import type { CommandRequest } from '../../engine/ports.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { commandEnvironment, type Environment, inheritedEnvironment, shellQuote } from './environment.ts';
import { isWithin } from './executables.ts';
import type { PrivateFolders } from './privateFolders.ts';
import type { Registries } from './registries.ts';
import { type SandboxTools, wrapInSandbox } from './sandboxRuntime.ts';
import { type Outcome, supervise, TASKS_PER_PROCESS } from './supervise.ts';

export interface ConfinedContext {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly denyRead: readonly string[];
  readonly folders: PrivateFolders;
  readonly registries: Registries;
  readonly maxProcesses: number;
  readonly floodBytes: number;
}

/** Largest single file, in the 512-byte blocks of `ulimit -f`: 4 GiB. */
const FILE_BLOCKS = 8_388_608;

/** Throws INVALID_INPUT for a folder that is not there. */
export function requireFolder(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) throw failure('INVALID_INPUT', `${path} is no folder to run a command in`);
}

/**
 * Since Linux 5.14 the bound counts what a user namespace has, before that what the user has, which would be too much at
 * once. To root it is none: there the supervisor makes a cell.
 * (dash calls it -p.)
 */
function countsTasksPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return process.platform === 'linux' && process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

/**
 * What is run inside, before the command's own shell: the command's environment is set only here, so that nothing in it
 * (LD_PRELOAD, say) acts on the programs that build the sandbox. stderr joins stdout so that the order is kept; what is
 * left on the outer stderr is the sandbox's own complaint. Its trace file tells that the sandbox stood.
 */
function opening(
  tasks: number,
  cwd: string,
  env: Readonly<Record<string, string>>,
  started: string,
  script: string,
): string {
  return [
    'exec 2>&1',
    `: > ${shellQuote(started)}`,
    `cd ${shellQuote(cwd)} || exit 126`,
    `ulimit -c 0; ulimit -f ${FILE_BLOCKS}`,
    ...(countsTasksPerNamespace() ? [`{ ulimit -u ${tasks} || ulimit -p ${tasks}; } 2>/dev/null`] : []),
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}`),
    `exec /bin/sh ${shellQuote(script)}`,
  ].join('\n');
}

export async function runConfined(
  request: CommandRequest,
  tools: SandboxTools,
  context: ConfinedContext,
): Promise<Outcome> {
  const cwd = resolve(request.cwd);
  requireFolder(cwd);
  const folders = context.folders.forCommand(request.writable[0] ?? cwd, request.home);
  const network = request.network === 'registries';
  const given = { ...(network ? context.registries.env : {}), ...request.env };
  try {
    const env = commandEnvironment(context.environment, given, folders);
    // In a file, because a command line has a length and each layer of quoting makes it longer.
    const script = join(folders.run, 'command');
    const started = join(folders.run, 'started');
    writeFileSync(script, `${request.command}\n`, { mode: 0o600 });
    const writable = [...request.writable.map((path) => resolve(path)), folders.home, folders.run];
    const readable = [cwd, ...(request.readable ?? []).map((path) => resolve(path))];
    const policy = {
      writable,
      // What may be written may be read; named here too, the library would make it read-only.
      readable: readable.filter((path) => !writable.some((folder) => isWithin(path, folder))),
      denyRead: context.denyRead,
      hosts: network ? context.registries.hosts : [],
    };
    const wrapped = await wrapInSandbox(
      tools,
      policy,
      opening(context.maxProcesses * TASKS_PER_PROCESS, cwd, env, started, script),
      request.signal,
    );
    try {
      const outcome = await supervise(
        {
          file: wrapped.argv[0],
          args: wrapped.argv.slice(1),
          cwd,
          env: inheritedEnvironment(context.environment),
          marker: null,
          timeoutMs: request.timeoutMs,
          maxOutputBytes: request.maxOutputBytes,
          floodBytes: Math.max(context.floodBytes, request.maxOutputBytes),
          maxProcesses: context.maxProcesses,
          signal: request.signal,
        },
        context.clock,
      );
      if (outcome.ended !== null || existsSync(started)) return outcome;
      return { exitCode: null, ended: 'failed_to_start', output: outcome.output };
    } finally {
      await wrapped.release();
    }
  } finally {
    await folders.remove();
  }
}
