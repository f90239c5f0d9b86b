/**
 * A program of its own that runs an approved command without a sandbox, and prints how it ended:
 * `unconfinedHost.ts FOLDER COMMAND MILLISECONDS`. Or one that ends such a program: `unconfinedHost.ts end PID`, or that watches a process: `unconfinedHost.ts watch PID`.
 */
import { systemClock } from '../../../src/adapters/clock.ts';
import { MARKED_BY_PS, watchGroup } from '../../../src/adapters/platform/process/deathWatch.ts';
import { canListProcesses, ifListed, processId } from '../../../src/adapters/platform/process/processTree.ts';
import { createCommandRunner } from '../../../src/adapters/shell/commandRunner.ts';
import { endProcess, ownMark, whereabouts } from '../../../src/adapters/shell/process/otherProcess.ts';
import { asFailure } from '../../../src/shared/errors.ts';

const clock = systemClock();
const [folder = '', command = '', timeoutMs = '60000'] = process.argv.slice(2);

async function end(pid: number): Promise<unknown> {
  const other = { ...ownMark(), pid, start: ifListed(() => processId(pid), null)?.start ?? '' };
  const before = whereabouts(other);
  const refused = await endProcess(other, [], clock).then(
    () => null,
    (thrown: unknown) => asFailure(thrown).code,
  );
  return { before, refused, after: whereabouts(other) };
}

/** Watches a process by its number and start alone, and waits to be killed. */
async function watchSeen(pid: number): Promise<never> {
  const watch = watchGroup(MARKED_BY_PS('ww'), 'NO_SUCH_MARK');
  const id = processId(pid);
  if (id !== null) watch.saw([id]);
  process.stdout.write('watching\n');
  return new Promise((resolve) => process.stdin.on('end', resolve).resume());
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

if (folder === 'watch') await watchSeen(Number(command));
process.stdout.write(JSON.stringify(await (folder === 'end' ? end(Number(command)) : run())));
