/**
 * Holds open a network that the commands of one session share, so that a later command reaches a server that an earlier
 * one started. Each sandbox normally has a separate network namespace, with only a loopback. A sandbox that runs
 * nothing holds one namespace open, and other sandboxes start inside it. Only on Linux, and only with `nsenter`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isFields, parseJson } from '../../../core/text/json.ts';
import { shellQuote } from '../../../core/text/shellQuote.ts';
import { errnoOf } from '../../../shared/errors.ts';
import { findExecutable, ownFolders } from '../../platform/executables.ts';
import { type Environment, platform } from '../../platform/platform.ts';
import { inheritedEnvironment } from '../environment.ts';
import type { SandboxTools } from './sandboxTools.ts';

export interface HeldNetwork {
  /** Returns shell text that runs the shell text `line` inside this network. `line` does not run in any other network. */
  enter(line: string): string;
  /** False after the sandbox that holds the network has ended: then commands have separate networks again. */
  isOpen(): boolean;
  close(): void;
}

/** Ends with this process, which holds the other end of its stdin. */
const WAIT = 'echo held; read -r _';

/** Returns null if this machine cannot hold a network. */
export async function holdNetwork(tools: SandboxTools, environment: Environment): Promise<HeldNetwork | null> {
  if (platform.name !== 'linux') return null;
  const own = ownFolders(environment['PATH'] ?? '');
  const [nsenter, readlink] = ['nsenter', 'readlink'].map((name) => findExecutable(name, own));
  if (nsenter == null || readlink == null) return null;
  const options = ['--new-session', '--die-with-parent', '--unshare-user', '--unshare-net', '--unshare-pid'];
  const child = spawn(
    tools.bwrap,
    [...options, '--ro-bind', '/', '/', '--cap-drop', 'ALL', '--info-fd', '3', '/bin/sh', '-c', WAIT],
    { env: inheritedEnvironment(environment), cwd: '/', stdio: ['pipe', 'pipe', 'ignore', 'pipe'], detached: true },
  );
  const close = (): void => void child.kill('SIGKILL');
  const [stdin, stdout, , info] = child.stdio;
  // Nothing is written to it: it only signals the end.
  stdin?.on('error', () => undefined);
  let isOpen = true;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      isOpen = false;
      resolve();
    };
    child.once('error', end);
    child.once('exit', end);
  });
  if (stdout === null || !(info instanceof Readable)) throw new Error('a held network has pipes');
  const stands = await Promise.race([once(stdout, 'data').then(() => true), ended.then(() => false)]);
  const pid = stands ? childOf(await text(info)) : null;
  const name = pid === null ? null : networkOf(pid);
  if (name === null || name === networkOf('self')) {
    close();
    return null;
  }
  return {
    enter: (line) => {
      const checked = `[ "$(${shellQuote(readlink)} /proc/self/ns/net)" = ${shellQuote(name)} ] || exit 126; ${line}`;
      return `exec ${shellQuote(nsenter)} -t ${pid} -U -n --preserve-credentials /bin/sh -c ${shellQuote(checked)}`;
    },
    isOpen: () => isOpen,
    close,
  };
}

function childOf(info: string): number | null {
  const value = parseJson(info);
  const pid = isFields(value) ? value['child-pid'] : null;
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1 ? pid : null;
}

/** Null if the process has ended. */
function networkOf(pid: number | 'self'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return null;
  }
}
