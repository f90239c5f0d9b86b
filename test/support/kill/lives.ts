/** Processes that are started again and again, each with its plan, and may kill themselves on the way. */
import { spawn } from 'node:child_process';

/** A generator of numbers below `most` that a seed repeats. */
export function dice(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** How the process ended; each line that it wrote is heard. The plan is in its environment, as JSON. */
export function live(script: string, plan: unknown, heard: (line: string) => void): Promise<'killed' | 'rested'> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', LIFE: JSON.stringify(plan) };
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const line of out.split('\n').slice(0, -1)) heard(line);
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('rested');
      else reject(new Error(`a life ended with ${code ?? signal}: ${err}`));
    });
  });
}

export const WAYS = ['before', 'torn', 'after'] as const;
