/** Identifies another process: whether it has ended, and how to end it with the commands that it runs. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessMark, Whereabouts } from '../../../engine/state/claimPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { errnoOf, failure } from '../../../shared/errors.ts';
import { platform } from '../../platform/platform.ts';
import type { ProcessId } from '../../platform/process/processes.ts';
import { processSystem } from '../../platform/process/processSystem.ts';
import {
  canListProcesses,
  descendants,
  hasEnded,
  living,
  mentions,
  processId,
} from '../../platform/process/processTree.ts';
import { kill } from '../../platform/process/signals.ts';
import { MARKER } from '../environment.ts';

const { processes } = processSystem;

const STOP_MS = 1_000;
const END_MS = 5_000;
/** Commands that are still alive after that get no more time: a watch, or the kernel, should have ended them. */
const LINGER_MS = 2_000;
const LOOK_MS = 50;

function textOf(read: () => string): string {
  try {
    return read().trim();
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return '';
    throw thrown;
  }
}

const startOf = (pid: number): string | null => processId(pid)?.start ?? null;

let own: ProcessMark | null = null;

/** The mark of this process. */
export function ownMark(): ProcessMark {
  const linux = platform.name === 'linux';
  own ??= {
    pid: process.pid,
    start: startOf(process.pid) ?? '',
    boot: linux ? textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) : '',
    space: linux ? textOf(() => readlinkSync('/proc/self/ns/pid')) : '',
    machine: linux ? textOf(() => readFileSync('/etc/machine-id', 'utf8')) || hostname() : '',
  };
  return own;
}

export function whereabouts(one: ProcessMark): Whereabouts {
  const { boot, space, machine, pid, start } = ownMark();
  if (one.boot !== boot) return one.machine === machine ? 'gone' : 'unknown';
  if (one.space !== space) return 'unknown';
  if (one.pid === pid && one.start === start) return 'self';
  const now = startOf(one.pid);
  if (now === null || !processes.isSameStart(now, one.start)) return 'gone';
  return hasEnded(processes.threadStates(one.pid)) && canListProcesses() ? 'gone' : 'alive';
}

/** Whether the process ends within this time: a process that is being ended may take a moment. */
export async function isGoneWithin(one: ProcessMark, ms: number, clock: Clock): Promise<boolean> {
  return within(clock, ms, () => whereabouts(one) === 'gone');
}

async function within(clock: Clock, ms: number, done: () => boolean): Promise<boolean> {
  const end = clock.monotonic() + ms;
  while (!done()) {
    if (clock.monotonic() >= end) return false;
    await clock.sleep(LOOK_MS);
  }
  return true;
}

/** Returns false if the process does not exist. Throws NOT_PERMITTED if it belongs to another user. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (cause) {
    if (errnoOf(cause) !== 'EPERM') return false;
    throw failure('NOT_PERMITTED', `process ${pid} belongs to another user`, { hint: 'End it yourself.', cause });
  }
}

/** Its commands with their children, and git: an editor's process has other children that must stay. */
function commandsOf(pid: number, words: readonly string[]): readonly ProcessId[] {
  const ours = descendants([pid]).filter(
    (each) => each.pid !== pid && (processes.program(each.pid).startsWith('git') || mentions(each.pid, words)),
  );
  return descendants(ours.map((each) => each.pid));
}

/**
 * Ends a living process and the commands that it runs; all have ended when it resolves. `words`: strings that identify
 * its commands, besides their marker. Throws NOT_PERMITTED if the process cannot be ended, or its end cannot be
 * observed.
 */
export async function endProcess(one: ProcessMark, words: readonly string[], clock: Clock): Promise<void> {
  const { pid } = one;
  if (!canListProcesses()) {
    throw failure('NOT_PERMITTED', `what process ${pid} runs cannot be seen on this system`, {
      hint: 'End it yourself; its commands end with it.',
    });
  }
  // Stopped first, so that it starts no further processes meanwhile.
  if (!signal(pid, 'SIGSTOP')) return;
  if (whereabouts(one) !== 'alive') return void signal(pid, 'SIGCONT');
  await within(clock, STOP_MS, () => /^[TtZX]*$/.test(processes.threadStates(pid)));
  const commands = commandsOf(pid, [`${MARKER}=`, ...words]);
  signal(pid, 'SIGKILL');
  const areGone = (): boolean => living(commands).length === 0;
  const isGone = await isGoneWithin(one, END_MS, clock);
  if (!(await within(clock, LINGER_MS, areGone))) for (const left of living(commands)) kill(left);
  if (isGone && (await within(clock, END_MS, areGone))) return;
  throw failure('NOT_PERMITTED', `process ${pid}, or what it runs, does not end`, { hint: 'End it yourself.' });
}
