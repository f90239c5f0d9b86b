/** The program `autonomous` in a terminal of the same person. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { World } from './world.ts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

interface Running {
  readonly ended: Promise<Ended>;
  /** At once, as a crash does. */
  kill(): Promise<void>;
}

function begin(child: ChildProcess): Running {
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout })));
  return {
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export function terminal({ env, extension }: World, project: string) {
  const program = [process.execPath, join(extension, 'dist', 'cli.js')];
  const launch = ([file = '', ...args]: readonly string[], stdin: 'ignore' | 'pipe'): Running =>
    begin(spawn(file, args, { cwd: project, env: { ...env }, stdio: [stdin, 'pipe', 'pipe'] }));
  const start = (...args: readonly string[]): Running => launch([...program, ...args], 'ignore');
  /** With a terminal that a person could type in; nobody does. */
  const startAtTty = (...args: readonly string[]): Running => {
    const command = [...program, ...args].map((word) => `'${word}'`).join(' ');
    return launch(['script', '--quiet', '--return', '--flush', '--command', command, '/dev/null'], 'pipe');
  };
  return { start, startAtTty, run: async (...args: readonly string[]): Promise<Ended> => start(...args).ended };
}
