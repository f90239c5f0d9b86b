/** A terminal that owns a folder for as long as a test needs it: it stops at the gates and asks there, however slow the machine is. */
import { slowScenario } from './finished.ts';
import { whenAsked } from './state.ts';
import type { Workplace } from './world.ts';

/** What a window says that shows what such a terminal does. */
export const VIEWER = /another window or terminal/i;

export interface TerminalOwner {
  /** Of the question about its plan. */
  readonly planId: number;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** At once, as a crash does; nothing once it has ended. */
  kill(): Promise<void>;
}

/** Starts a job there, and waits until it asks about its plan. `delayMs`: of each call of its model. */
export async function ownedByTerminal(place: Workplace, delayMs: number): Promise<TerminalOwner> {
  const scenario = slowScenario(place, delayMs);
  const gates = ['--gates', 'plan,merge'];
  const words = ['run', '--provider', 'simulated', '--scenario', scenario, ...gates, 'Write notes.'];
  // Without a terminal it would end with its first question.
  const owner = place.terminal.startAtTty(...words);
  try {
    const { id } = await whenAsked(place, 'plan');
    return { planId: id, ended: owner.ended.then(({ code }) => code), kill: owner.kill };
  } catch (thrown) {
    await owner.kill();
    throw thrown;
  }
}
