/** Starts an interactive program over its stdin and stdout, under the same rules as every command. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { mayRunUnconfined } from '../../../core/guard/commandPolicy.ts';
import { shellQuote } from '../../../core/text/shellQuote.ts';
import type { InteractiveProcess, InteractiveRequest, NotInteractive } from '../../../engine/session/commandPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { findExecutable, isWithin } from '../../platform/executables.ts';
import type { ProcessId } from '../../platform/process/processes.ts';
import { descendants, living } from '../../platform/process/processTree.ts';
import { requireFolder } from '../commandRequest.ts';
import { commandEnvironment, MARKER } from '../environment.ts';
import { type ConfinedContext, prepareSandbox } from '../sandbox/confined.ts';
import { openLocalRelay } from '../sandbox/localRelay.ts';
import type { CommandFolders } from '../sandbox/privateFolders.ts';
import type { SandboxTools } from '../sandbox/sandboxTools.ts';
import { endOf, inputOf, outputOf } from './byteStreams.ts';
import { type Launch, type Life, startProcess } from './processLife.ts';

/** Interval of the checks whether a sandbox has started, and whether its last process has ended. */
const LOOK_MS = 10;
/** Time limit of the kernel for ending a namespace. */
const GONE_WITHIN_MS = 10_000;
/** Milliseconds for which unread output can still be read after the end. */
const UNREAD_MS = 1_000;

/** How a program is started, and the cleanup after its end. */
interface Start extends Pick<Launch, 'file' | 'args' | 'cwd' | 'env' | 'marker'> {
  readonly sandboxed: boolean;
  /** Whether the program itself was reached. */
  started(): boolean;
  leave(): Promise<void>;
}

/** The program by its path, never one that the program could have written itself. */
function programOf(request: InteractiveRequest, folders: CommandFolders, context: ConfinedContext): string {
  const [name] = request.argv;
  const env = commandEnvironment(context.environment, request.env, folders);
  const own = [request.cwd, ...request.writable, folders.home, folders.run].map((folder) => resolve(folder));
  const file = findExecutable(name, env['PATH'] ?? '', own);
  if (file === null) {
    throw failure('INVALID_INPUT', `${name} is not a program outside the folders that it may write`);
  }
  return file;
}

async function inSandbox(
  request: InteractiveRequest,
  folders: CommandFolders,
  tools: SandboxTools,
  context: ConfinedContext,
): Promise<Start> {
  const words = [programOf(request, folders, context), ...request.argv.slice(1)];
  const local = request.localPort === null ? null : await openLocalRelay(request.localPort, context.clock);
  try {
    const stay = {
      cwd: resolve(request.cwd),
      writable: request.writable,
      readable: request.readable ?? [],
      hidden: request.hidden ?? [],
      env: request.env,
      script: `exec ${words.map(shellQuote).join(' ')}`,
      streams: 'apart' as const,
      hosts: request.hosts,
      local,
      heldNetwork: null,
      ownTmp: false,
      signal: request.signal,
    };
    const entrance = await prepareSandbox(stay, folders, tools, context);
    return {
      ...entrance,
      sandboxed: true,
      leave: async () => {
        local?.close();
        await entrance.leave();
      },
    };
  } catch (thrown) {
    local?.close();
    throw thrown;
  }
}

function outside(request: InteractiveRequest, folders: CommandFolders, context: ConfinedContext): Start {
  const marker = randomUUID();
  return {
    file: programOf(request, folders, context),
    args: request.argv.slice(1),
    cwd: resolve(request.cwd),
    env: { ...commandEnvironment(context.environment, request.env, folders), [MARKER]: marker },
    marker,
    sandboxed: false,
    started: () => true,
    leave: async () => undefined,
  };
}

/** Resolves to true once the program was reached, or to false if it ended before that. Call before any cleanup. */
export async function stands(start: Pick<Start, 'started'>, life: Life, context: ConfinedContext): Promise<boolean> {
  let end: boolean | null = null;
  void life.over.then(() => {
    end = start.started();
  });
  while (end === null && !start.started()) await context.clock.sleep(LOOK_MS);
  // A program that could not be spawned fails at once and has no process id.
  return end !== false && life.child.pid !== undefined;
}

/** Waits for the other processes of a namespace after its first one has ended. */
export async function allGone(inside: readonly ProcessId[], context: ConfinedContext): Promise<void> {
  const end = context.clock.monotonic() + GONE_WITHIN_MS;
  while (living(inside).length > 0 && context.clock.monotonic() < end) await context.clock.sleep(LOOK_MS);
}

/** Reads the last messages of a program after its end; a process that left the tree may hold the pipe open. */
async function heardOut(stderr: Readable | null, { clock }: ConfinedContext): Promise<void> {
  if (stderr === null || stderr.closed) return;
  const cancel = clock.timer(GONE_WITHIN_MS, () => stderr.destroy());
  await once(stderr, 'close');
  cancel();
}

function begin(start: Start, request: InteractiveRequest, context: ConfinedContext): Life {
  const launch: Launch = {
    file: start.file,
    args: start.args,
    cwd: start.cwd,
    env: start.env,
    marker: start.marker,
    timeoutMs: null,
    floodBytes: request.maxBytes,
    maxProcesses: context.maxProcesses,
    signal: request.signal,
  };
  return startProcess(launch, 'pipe', context.clock, ({ stderr }) => heardOut(stderr, context));
}

async function talk(
  start: Start,
  folders: CommandFolders,
  request: InteractiveRequest,
  context: ConfinedContext,
): Promise<InteractiveProcess | NotInteractive> {
  const life = begin(start, request, context);
  const { stdin, stdout, stderr } = life.child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('a talking command has pipes');
  const input = inputOf(stdin);
  const output = outputOf(stdout, life.heard);
  const complaints = endOf(stderr, life.heard);
  let inside: readonly ProcessId[] = [];
  const stood = stands(start, life, context);
  const gone = life.over.then(async (end) => {
    await allGone(inside, context);
    if (!stdout.closed) context.clock.timer(UNREAD_MS, () => stdout.destroy());
    return end;
  });
  const putAway = gone.then(async () => {
    await start.leave();
    context.talking.delete(folders.home);
    await folders.remove();
  });
  // The caller that ends the program receives the failure of the cleanup.
  putAway.catch(() => undefined);
  if (!(await stood)) {
    const { ended, why } = await gone;
    await putAway;
    if (ended === 'aborted') return { ended, why: 'aborted' };
    return { ended: 'failed_to_start', why: why === '' ? complaints().trim() || 'it ended at once' : why };
  }
  if (start.marker === null && life.child.pid !== undefined) inside = descendants([life.child.pid]);
  return {
    sandboxed: start.sandboxed,
    home: folders.home,
    input,
    output,
    complaints,
    ended: gone.then(({ exitCode, ended }) => ({ exitCode, ended })),
    end: async () => {
      life.end('aborted');
      await putAway;
    },
  };
}

/** Without `tools` there is no sandbox. Throws the failures of starting a command. */
export async function converse(
  request: InteractiveRequest,
  tools: SandboxTools | null,
  context: ConfinedContext,
): Promise<InteractiveProcess | NotInteractive> {
  if (tools === null && !request.approved && !mayRunUnconfined(request.argv, request.allowed)) {
    return { ended: 'refused', why: 'there is no sandbox here, and this program is not allowed to run without one' };
  }
  const cwd = resolve(request.cwd);
  requireFolder(cwd);
  const writes = request.writable.some((folder) => isWithin(cwd, resolve(folder)));
  const folders = context.folders.forCommand(cwd, writes ? 'agent' : 'reader');
  if (context.talking.has(folders.home)) {
    await folders.remove();
    return { ended: 'failed_to_start', why: 'another agent is at work in this clone' };
  }
  context.talking.add(folders.home);
  try {
    folders.put(request.files);
    const start =
      tools === null ? outside(request, folders, context) : await inSandbox(request, folders, tools, context);
    return await talk(start, folders, request, context);
  } catch (thrown) {
    context.talking.delete(folders.home);
    await folders.remove();
    throw thrown;
  }
}
