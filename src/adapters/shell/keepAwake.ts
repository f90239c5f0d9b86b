/**
 * Keeps the machine awake with a program of the system. The program reads a pipe of this process, and so ends with this process, also
 * after a kill.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { failure, messageOf } from '../../shared/errors.ts';
import { findExecutable, ownFolders } from '../platform/executables.ts';
import { KEEP_AWAKE, type KeepAwake } from '../platform/keepAwake.ts';
import { type Environment, platform } from '../platform/platform.ts';
import { POWERSHELL_VARIABLES } from '../platform/powershell.ts';
import type { Start } from '../platform/system.ts';
import { inheritedEnvironment } from './environment.ts';

/** Variables of the user's session, which the programs need besides those of a command. */
const SESSION = /^(DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR|WSL_INTEROP)$/;
const MAX_CHARACTERS = 2_000;

export interface KeepingAwake {
  readonly environment: Environment;
  /** No program in these folders is started. */
  readonly outside: readonly string[];
  readonly program?: KeepAwake;
}

/** Throws NOT_FOUND if this system has no program for it. */
export function awakeProgram({ environment, outside, program = KEEP_AWAKE[platform.name] }: KeepingAwake): Start {
  const path = ownFolders(environment['PATH'] ?? '');
  const found = program.start(environment, (name) => findExecutable(name, path, outside), existsSync);
  if (found !== null) return found;
  throw failure('NOT_FOUND', `${program.program(environment)} is not available`);
}

/**
 * Returns what lets the machine sleep again. Calls `failed` if the program ends before that. Throws NOT_FOUND if this system has no
 * program for it.
 */
export function keepAwake(keeping: KeepingAwake, failed: (thrown: Error) => void): () => void {
  const { environment } = keeping;
  const { file, args } = awakeProgram(keeping);
  const session = Object.entries(environment).filter(([name]) => SESSION.test(name) || POWERSHELL_VARIABLES.test(name));
  const options: SpawnOptions = {
    cwd: dirname(file),
    env: { ...inheritedEnvironment(environment), ...Object.fromEntries(session) },
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
    // Ctrl-C is meant for this process.
    detached: platform.hasGroups,
  };
  const child = spawn(file, args, options);
  let isReleased = false;
  let said = '';
  const release = (): void => {
    isReleased = true;
    child.stdin?.end();
    child.kill();
  };
  const fail = (why: string): void => {
    if (isReleased) return;
    release();
    failed(failure('COMMAND_FAILED', `${basename(file)} failed: ${why}`));
  };
  // A pipe that breaks means that the program has ended, which is reported below.
  child.stdin?.on('error', () => undefined);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, MAX_CHARACTERS);
  });
  child.on('error', (thrown) => fail(messageOf(thrown)));
  child.on('close', (code, signal) => fail(said.trim().split('\n', 1)[0] || `it ended with ${code ?? signal}`));
  return release;
}
