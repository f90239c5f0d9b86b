/** A program of ours as a process that lives for seconds, and how it ended. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** Optimizing the database's WebAssembly in the background costs more than it saves. */
export const SHORT_LIVED = ['--liftoff-only'];
const SAID = 1_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ShortProcess {
  readonly pid: number;
  readonly kill: ChildProcess['kill'];
  /** Whoever read its output goes away. */
  unread(): void;
  readonly exit: Promise<Exit>;
}

/** It is ended after `mostMs`, so that no test hangs, and says so. */
export function shortProcess(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  mostMs = 600_000,
): ShortProcess {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => child.kill(signal),
    unread: () => void child.stdout.destroy(),
    exit: exitOf(child, mostMs),
  };
}

async function exitOf(child: ChildProcessByStdio<null, Readable, Readable>, mostMs: number): Promise<Exit> {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const late = setTimeout(() => {
    stderr += `(ended by the test: it took too long; ${stdout.slice(-SAID)})`;
    child.kill('SIGKILL');
  }, mostMs);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) =>
    child.on('error', reject).on('close', (...exit) => resolve(exit)),
  );
  clearTimeout(late);
  return { code, signal, stdout, stderr };
}
