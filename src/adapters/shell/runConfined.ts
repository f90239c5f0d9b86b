/** Runs one command in a sandbox. */
import { resolve } from 'node:path';
import type { CommandRequest } from '../../engine/session/commandPorts.ts';
import { boundsOf, requireFolder, sandboxRequestOf } from './commandRequest.ts';
import { type Outcome, supervise } from './process/supervise.ts';
import { type ConfinedContext, prepareSandbox } from './sandbox/confined.ts';
import type { SandboxTools } from './sandbox/sandboxTools.ts';

export async function runConfined(
  request: CommandRequest,
  tools: SandboxTools,
  context: ConfinedContext,
): Promise<Outcome> {
  const cwd = resolve(request.cwd);
  requireFolder(cwd);
  const folders = context.folders.forCommand(cwd, request.home, request.session);
  try {
    const stay = sandboxRequestOf(request, folders, context);
    const entrance = await prepareSandbox(stay, folders, tools, context);
    try {
      const outcome = await supervise(
        {
          ...entrance,
          ...boundsOf(request, folders, context),
        },
        context.clock,
      );
      if (outcome.ended !== null || entrance.started()) {
        const notes = entrance.notes(outcome.output);
        return notes.length === 0 ? outcome : { ...outcome, notes };
      }
      return { exitCode: null, ended: 'failed_to_start', output: outcome.output };
    } finally {
      await entrance.leave();
    }
  } finally {
    await folders.remove();
  }
}
