/** Starts one command that stays in the background of its session. It runs only in the sandbox. */
import { resolve } from 'node:path';
import type { BackgroundCommand, BackgroundRequest, NotInteractive } from '../../../engine/session/commandPorts.ts';
import type { ProcessId } from '../../platform/process/processes.ts';
import { descendants } from '../../platform/process/processTree.ts';
import { requireFolder, sandboxRequestOf } from '../commandRequest.ts';
import { allGone, stands } from '../process/converse.ts';
import { createOutputBuffer } from '../process/outputBuffer.ts';
import { startProcess } from '../process/processLife.ts';
import { drain } from '../process/supervise.ts';
import { type ConfinedContext, prepareSandbox, type SandboxLaunch } from '../sandbox/confined.ts';
import type { CommandFolders } from '../sandbox/privateFolders.ts';
import type { SandboxTools } from '../sandbox/sandboxTools.ts';
import { outputFile } from './outputFile.ts';

/** Limit of a command's output in its file. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Limit of the output in memory since the last call of `take`. */
const UNREAD_BYTES = 1024 * 1024;
/** Limit of the output, its start and its end, in which the notes about the command are searched. */
const NOTED_BYTES = 64 * 1024;

export async function startBackground(
  request: BackgroundRequest,
  tools: SandboxTools,
  context: ConfinedContext,
): Promise<BackgroundCommand | NotInteractive> {
  const cwd = resolve(request.cwd);
  requireFolder(cwd);
  const folders = context.folders.forCommand(cwd, request.home, request.session);
  let entrance: SandboxLaunch | null = null;
  try {
    entrance = await prepareSandbox(
      sandboxRequestOf({ ...request, network: 'none' }, folders, context),
      folders,
      tools,
      context,
    );
    return await follow(entrance, folders, request, context);
  } catch (thrown) {
    await entrance?.leave();
    await folders.remove();
    throw thrown;
  }
}

async function follow(
  entrance: SandboxLaunch,
  folders: CommandFolders,
  request: BackgroundRequest,
  context: ConfinedContext,
): Promise<BackgroundCommand | NotInteractive> {
  const { clock, floodBytes, maxProcesses } = context;
  const kept = outputFile(request.session.output, `background-${folders.number}`, { over: 0, maxBytes: KEPT_BYTES });
  const noted = createOutputBuffer(NOTED_BYTES);
  let unread = createOutputBuffer(UNREAD_BYTES);
  let inside: readonly ProcessId[] = [];
  let news = Promise.withResolvers<void>();
  const wake = (): void => {
    news.resolve();
    news = Promise.withResolvers<void>();
  };
  const launch = { ...entrance, timeoutMs: null, floodBytes, maxProcesses, signal: request.signal };
  const life = startProcess(launch, 'ignore', clock, drain(clock));
  const take = (chunk: Buffer): void => {
    unread.add(chunk);
    noted.add(chunk);
    kept.add(chunk);
    life.heard(chunk.length);
    wake();
  };
  life.child.stdout?.on('data', take);
  life.child.stderr?.on('data', take);
  let end: BackgroundCommand['end'] = null;
  const stood = stands(entrance, life, context);
  const over = life.over.then(async ({ exitCode, ended, why }) => {
    await allGone(inside, context);
    const notes = entrance.notes(noted.text());
    await entrance.leave();
    await folders.remove();
    kept.end();
    end = { exitCode, ended, notes: why === '' ? notes : [...notes, why] };
    wake();
  });
  // `stop` throws a failure of the cleanup. Without a call of `stop`, the failure is ignored.
  over.catch(() => undefined);
  if (!(await stood)) {
    await over;
    if (request.signal.aborted) return { ended: 'aborted', why: 'aborted' };
    return { ended: 'failed_to_start', why: unread.text().trim() || 'it ended at once' };
  }
  if (entrance.marker === null && life.child.pid !== undefined) inside = descendants([life.child.pid]);
  return {
    get end() {
      return end;
    },
    take: () => {
      const printed = unread;
      unread = createOutputBuffer(UNREAD_BYTES);
      return printed.text();
    },
    whole: () => kept.soFar(),
    changed: () => news.promise,
    stop: async () => {
      life.end('aborted');
      await over;
    },
  };
}
