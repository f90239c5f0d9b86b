/** Folders and requests for tests of the command runner, and eyes on the processes of this machine. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import {
  type CommandRunnerOptions,
  createCommandRunner,
  type ShellRunner,
} from '../../../src/adapters/shell/commandRunner.ts';
import type { BackgroundRequest, CommandRequest, CommandResult } from '../../../src/engine/session/commandPorts.ts';
import { LONGEST_SILENCE_MS } from '../time/silence.ts';

export interface ShellGround {
  readonly root: string;
  /** The clone: the only writable folder of a request. */
  readonly clone: string;
  readonly runner: ShellRunner;
  run(command: string, more?: Partial<CommandRequest>): Promise<CommandResult>;
  /** Starts a command in the background of a session. */
  start(
    command: string,
    more: Pick<BackgroundRequest, 'session'> & Partial<BackgroundRequest>,
  ): ReturnType<ShellRunner['start']>;
  close(): Promise<void>;
}

/** `root/jobs/a/tree` is the clone; every other folder of `root` is outside of it. `create`: of another build. */
export function shellGround(
  options: Partial<CommandRunnerOptions> = {},
  create: typeof createCommandRunner = createCommandRunner,
  root: string = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-shell-'))),
): ShellGround {
  const clone = join(root, 'jobs', 'a', 'tree');
  mkdirSync(clone, { recursive: true });
  const runner = create({ clock: systemClock(), denyRead: [join(root, 'jobs')], ...options });
  const inClone = (command: string) =>
    ({ command, cwd: clone, writable: [clone], env: {}, home: 'agent', signal: new AbortController().signal }) as const;
  return {
    root,
    clone,
    runner,
    run: (command, more = {}) =>
      runner.run({
        ...inClone(command),
        network: 'none',
        timeoutMs: 30_000,
        maxOutputBytes: 100_000,
        allowed: [],
        approved: false,
        ...more,
      }),
    start: (command, more) => runner.start({ ...inClone(command), ...more }),
    async close() {
      await runner.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Living processes whose command line contains `text`, in which a NUL separates the arguments. */
export function processesWith(text: string): number[] {
  if (!existsSync('/proc/self/cmdline')) return listedWith(text.replaceAll('\0', ' '));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false; // gone while we looked
      }
    })
    .map(Number);
}

/** By `ps`, which separates arguments by spaces. */
function listedWith(text: string): number[] {
  const lines = execFileSync('/bin/ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
}

/** Waits until `done` holds, as long as any machine may need for it; whether it did. */
export const inTheEnd = (done: () => boolean): Promise<boolean> => eventually(done, LONGEST_SILENCE_MS);

/** Waits until `done` holds; whether it did within `ms`. */
export async function eventually(done: () => boolean, ms = 5_000): Promise<boolean> {
  const clock = systemClock();
  const end = clock.monotonic() + ms;
  while (!done()) {
    if (clock.monotonic() > end) return false;
    await clock.sleep(20);
  }
  return true;
}
