/** A terminal that owns a folder for as long as a test needs it: it stops at the gates and asks there, however slow the machine is. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { longScenario } from './finished.ts';
import { stateOf, whenAsked, whenState } from './state.ts';
import { WAITS } from './terminal.ts';
import type { EditorWindow } from './window.ts';
import type { Workplace } from './world.ts';

/** What a window says that shows what such a terminal does. */
export const VIEWER = /another window or terminal/i;

/** Longer than any test. */
const NEVER_MS = '86400000';

export interface TerminalOwner {
  /** Of the question about its plan. */
  readonly planId: number;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** At once, as a crash does; nothing once it has ended. */
  kill(): Promise<void>;
}

/**
 * Owns a job that asks about its plan, in a folder that the window chooses meanwhile. `isHeld`: no call of its model ends after that, as
 * long as this terminal owns the job.
 */
export async function ownedByTerminal(window: EditorWindow, place: Workplace, isHeld: boolean): Promise<TerminalOwner> {
  const scenario = longScenario(place);
  const gates = ['--gates', 'plan,merge'];
  const filed = ['run', '--provider', 'simulated', '--scenario', scenario, ...gates, 'Write notes.'];
  const { code, printed } = await place.terminal.autonomous(...filed);
  assert.equal(code, WAITS, printed);
  const { id } = await whenAsked(place, 'plan');
  const { epoch } = (await stateOf(place)).meta;
  // Not before: a window that follows a terminal which ends just then becomes the owner.
  await window.choose(basename(place.project));
  const held = isHeld ? { AUTONOMOUS_SIMULATED_DELAY_MS: NEVER_MS } : {};
  // Without a terminal it would end with the question.
  const owner = place.terminal.startAtTty(['run', '--resume'], held);
  await whenState(place, 'the terminal to own its job', ({ meta }) => meta.epoch > epoch);
  return { planId: id, ended: owner.ended.then(({ code: last }) => last), kill: owner.kill };
}
