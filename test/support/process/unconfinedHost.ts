/**
 * A program of its own that runs an approved command without a sandbox, and prints how it ended:
 * `unconfinedHost.ts FOLDER COMMAND MILLISECONDS`. Or one that ends such a program: `unconfinedHost.ts end PID`.
 */
import { systemClock } from '../../../src/adapters/clock.ts';
import { canListProcesses, processId } from '../../../src/adapters/platform/process/processTree.ts';
import { createCommandRunner } from '../../../src/adapters/shell/commandRunner.ts';
import { endProcess, ownMark, whereabouts } from '../../../src/adapters/shell/process/otherProcess.ts';

const clock = systemClock();
const [folder = '', command = '', timeoutMs = '60000'] = process.argv.slice(2);

async function end(pid: number): Promise<unknown> {
  const other = { ...ownMark(), pid, start: processId(pid)?.start ?? '' };
  const before = whereabouts(other);
  await endProcess(other, [], clock);
  return { before, after: whereabouts(other) };
}

async function run(): Promise<unknown> {
  const environment = process.platform === 'win32' ? process.env : { PATH: '/nowhere', HOME: folder };
  const runner = createCommandRunner({ clock, privateDir: `${folder}/private`, maxProcesses: 40, environment });
  const { exitCode, ended, output, sandboxed } = await runner.run({
    command,
    cwd: folder,
    writable: [folder],
    env: process.platform === 'win32' ? {} : { PATH: '/usr/bin:/bin' },
    home: 'agent',
    network: 'none',
    timeoutMs: Number(timeoutMs),
    maxOutputBytes: 1_000,
    allowed: [],
    approved: true,
    signal: new AbortController().signal,
  });
  return { exitCode, ended, output, sandboxed, lists: canListProcesses() };
}

process.stdout.write(JSON.stringify(await (folder === 'end' ? end(Number(command)) : run())));
