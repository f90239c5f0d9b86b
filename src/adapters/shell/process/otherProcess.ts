/** Identifies another process: whether it has ended, and how to end it with the commands that it runs. */
import { type ProcessMark, placeOf } from '../../../core/state/processMark.ts';
import type { Whereabouts } from '../../../engine/state/claimPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { errnoOf, failure } from '../../../shared/errors.ts';
import { ownMachine } from '../../platform/machine.ts';
import { platform } from '../../platform/platform.ts';
import type { ProcessId } from '../../platform/process/processes.ts';
import { processSystem } from '../../platform/process/processSystem.ts';
import {
  canListProcesses,
  descendants,
  hasEnded,
  ifListed,
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

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return errnoOf(thrown) !== 'ESRCH';
  }
}

const startOf = (pid: number): string | null => ifListed(() => processId(pid)?.start ?? null, null);

let own: ProcessMark | null = null;

/** The mark of this process. */
export function ownMark(): ProcessMark {
  if (own !== null) return own;
  const start = startOf(process.pid);
  const mark = { pid: process.pid, start: start ?? '', ...ownMachine() };
  // A start that could not be listed is asked for again.
  if (start !== null || platform.pipe !== null) own = mark;
  return mark;
}

export function whereabouts(one: ProcessMark): Whereabouts {
  const mine = ownMark();
  const place = placeOf(one, mine);
  if (place === 'past') return 'gone';
  if (place !== 'here') return 'unknown';
  if (one.pid === mine.pid && one.start === mine.start) return 'self';
  if (!exists(one.pid)) return 'gone';
  const start = startOf(one.pid);
  // A process that may be the one is taken for it.
  if (start === null || one.start === '') return 'alive';
  if (!processes.isSameStart(start, one.start)) return 'gone';
  const states = ifListed(() => processes.threadStates(one.pid), '');
  return states !== '' && hasEnded(states) ? 'gone' : 'alive';
}

/** Whether the process ends within this time: a process that is being ended may take a moment. */
export async function isGoneWithin(one: ProcessMark, ms: number, clock: Clock): Promise<boolean> {
  return within(clock, ms, () => whereabouts(one) === 'gone');
}

async function within(clock: Clock, ms: number, done: () => boolean): Promise<boolean> {
  const end = clock.monotonic() + ms;
  while (!done()) {
    if (clock.monotonic() >= end) return false;
    await clock.sleep(Math.max(LOOK_MS, processes.lookMs / 4));
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
  await within(clock, STOP_MS, () => ifListed(() => /^[TtZX]*$/.test(processes.threadStates(pid)), false));
  const commands = ifListed(() => commandsOf(pid, [`${MARKER}=`, ...words]), null);
  if (commands === null) {
    signal(pid, 'SIGCONT');
    throw failure('NOT_PERMITTED', `what process ${pid} runs cannot be listed at present`, { hint: 'Try again.' });
  }
  signal(pid, 'SIGKILL');
  const areGone = (): boolean => ifListed(() => living(commands).length === 0, false);
  const isGone = await isGoneWithin(one, END_MS, clock);
  if (!(await within(clock, LINGER_MS, areGone))) for (const left of ifListed(() => living(commands), [])) kill(left);
  if (isGone && (await within(clock, END_MS, areGone))) return;
  throw failure('NOT_PERMITTED', `process ${pid}, or what it runs, does not end`, { hint: 'End it yourself.' });
}
