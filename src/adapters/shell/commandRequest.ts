/** What one command asks for: its folder, its sandbox, and its bounds. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandRequest } from '../../engine/session/commandPorts.ts';
import { failure } from '../../shared/errors.ts';
import type { ConfinedContext, SandboxRequest } from './sandbox/confined.ts';
import { canReplaceTmp } from './sandbox/ownTmp.ts';
import type { CommandFolders } from './sandbox/privateFolders.ts';
import { type OutputFile, outputFile } from './session/outputFile.ts';

/** Throws INVALID_INPUT if the folder does not exist. */
export function requireFolder(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) throw failure('INVALID_INPUT', `${path} is not a folder to run a command in`);
}

/** How long a command runs, and what of its output is kept. */
export function boundsOf(request: CommandRequest, folders: CommandFolders, context: ConfinedContext) {
  return {
    timeoutMs: request.timeoutMs,
    maxOutputBytes: request.maxOutputBytes,
    whole: fileFor(request, folders),
    floodBytes: Math.max(context.floodBytes, request.maxOutputBytes),
    maxProcesses: context.maxProcesses,
    signal: request.signal,
  };
}

function fileFor({ session, keepOver }: CommandRequest, { number }: CommandFolders): OutputFile | null {
  return session === undefined || keepOver === undefined
    ? null
    : outputFile(session.output, number, { over: keepOver });
}

/** The relays of a command with network have their sockets in the machine's `/tmp`. */
function hasOwnTmp(request: Confined, { home, run, tmp }: CommandFolders, context: ConfinedContext): boolean {
  const { cwd, writable, readable = [], network } = request;
  if (context.needsMachinesTmp || network !== 'none') return false;
  return canReplaceTmp([...[cwd, ...writable, ...readable].map((path) => resolve(path)), home, run, tmp]);
}

type Confined = Pick<
  CommandRequest,
  'command' | 'cwd' | 'writable' | 'readable' | 'session' | 'env' | 'network' | 'signal'
>;

/** Describes the sandbox of one command. */
export function sandboxRequestOf(request: Confined, folders: CommandFolders, context: ConfinedContext): SandboxRequest {
  const { session, signal } = request;
  const network = request.network === 'registries';
  const held = session === undefined || network ? undefined : context.networks.get(session);
  return {
    cwd: resolve(request.cwd),
    writable: request.writable,
    readable: [...(request.readable ?? []), ...(session === undefined ? [] : [session.output])],
    hidden: [],
    env: { ...(network ? context.registries.env : {}), ...request.env },
    script: request.command,
    streams: 'merged',
    hosts: network ? context.registries.hosts : [],
    local: null,
    heldNetwork: held?.isOpen() === true ? held : null,
    ownTmp: hasOwnTmp(request, folders, context),
    signal,
  };
}
