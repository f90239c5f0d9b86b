/** Real processes that start at once on one state, and end as owners do. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import { connect } from '../../../src/adapters/ipc/client.ts';
import { asFailure } from '../../../src/shared/errors.ts';
import { workspacePathsOf } from '../state/testPaths.ts';

const STARTERS = 3;
const clock = systemClock();

export interface Starter {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves to the next line of its output, or `ended`. */
  act(command: string): Promise<string>;
}

export function starter(program: URL, args: readonly string[]): Starter {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    act: async (command) => {
      child.stdin.write(`${command}\n`);
      const { value, done } = await lines.next();
      return done === true ? 'ended' : value;
    },
  };
}

export async function end({ child }: Starter): Promise<void> {
  const isOver = child.exitCode ?? child.signalCode;
  child.kill('SIGKILL');
  if (isOver === null) await once(child, 'exit');
}

/** Returns what is wrong, one line each. A tenth of the owners is killed; the others close. */
export async function startProcesses(
  program: URL,
  wasmFile: string,
  rounds: number,
  random: (below: number) => number,
): Promise<readonly string[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'aut-starters-')));
  const places = workspacePathsOf(folder, join(folder, 'repo'));
  mkdirSync(places.projectDir);
  const args = [folder, places.projectDir, wasmFile];
  const starters = Array.from({ length: STARTERS }, () => starter(program, args));
  const faults: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const some = starters.slice(0, 2 + random(2));
      const results = await Promise.all(some.map(({ act }) => act('start')));
      const wrong = await faultsOf(some, results, places);
      const at = results.indexOf('owner');
      const owner = starters[at];
      if (owner === undefined || wrong.length > 0) {
        faults.push(`round ${round}: ${results.join(' ')}: ${wrong.join('; ')}`);
        break;
      }
      if (random(10) > 0) {
        await owner.act('close');
        if (readdirSync(places.runtimeDir).length > 0) faults.push(`round ${round}: files are left`);
        continue;
      }
      await end(owner);
      starters[at] = starter(program, args);
    }
    return faults;
  } finally {
    for (const each of starters) await end(each);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function faultsOf(
  starters: readonly Starter[],
  results: readonly string[],
  { runtimeDir, stateDir }: ReturnType<typeof workspacePathsOf>,
): Promise<string[]> {
  const faults =
    results.toSorted().join(' ') === ['OWNER_BUSY', 'OWNER_BUSY', 'owner'].slice(-results.length).join(' ')
      ? []
      : ['results'];
  const files = readdirSync(runtimeDir).length;
  if (files !== 2) faults.push(`${files} files`);
  try {
    const client = await connect({ runtimeDir, stateDir, clock });
    const who = await client.call('who', null);
    client.close();
    if (who !== starters[results.indexOf('owner')]?.child.pid) faults.push('another process answers');
  } catch (thrown) {
    faults.push(asFailure(thrown).message);
  }
  return faults;
}
