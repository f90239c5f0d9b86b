/** Runs one command without a sandbox: only one that the user listed exactly, or approved as a text. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { mayRunUnconfined, parseArgv } from '../../core/guard/commandPolicy.ts';
import type { CommandRequest } from '../../engine/session/commandPorts.ts';
import { findExecutable } from '../platform/executables.ts';
import type { Shell, Start } from '../platform/system.ts';
import { boundsOf, requireFolder } from './commandRequest.ts';
import { commandEnvironment, MARKER } from './environment.ts';
import { type Outcome, supervise } from './process/supervise.ts';
import type { ConfinedContext } from './sandbox/confined.ts';

export interface Refused {
  readonly exitCode: null;
  readonly ended: 'refused';
  readonly output: string;
}

function refused(output: string): Refused {
  return { exitCode: null, ended: 'refused', output };
}

/** The program to start, or the reason for a refusal. A shell runs only a text that the steward approved. */
function programOf(request: CommandRequest, path: string, shell: Shell): Start | Refused {
  if (request.approved) return shell.start(request.command);
  const argv = parseArgv(request.command);
  if (argv === null || !mayRunUnconfined(argv, request.allowed)) {
    return refused(
      'refused: there is no sandbox here, and this command is not on the list of those that may run without one',
    );
  }
  const [name = '', ...rest] = argv;
  const outside = [resolve(request.cwd), ...request.writable.map((folder) => resolve(folder))];
  const file = findExecutable(name, path, outside);
  return file === null
    ? refused(`refused: ${name} is not a program outside the folders that the command may write`)
    : { file, args: rest, isVerbatim: false };
}

export async function runUnconfined(request: CommandRequest, context: ConfinedContext): Promise<Outcome | Refused> {
  const cwd = resolve(request.cwd);
  requireFolder(cwd);
  const folders = context.folders.forCommand(cwd, request.home, request.session);
  try {
    const marker = randomUUID();
    const env = commandEnvironment(context.environment, request.env, folders);
    const program = programOf(request, env['PATH'] ?? '', context.shell);
    if ('ended' in program) return program;
    return await supervise(
      {
        ...program,
        cwd,
        env: { ...env, [MARKER]: marker },
        marker,
        ...boundsOf(request, folders, context),
      },
      context.clock,
    );
  } finally {
    await folders.remove();
  }
}
