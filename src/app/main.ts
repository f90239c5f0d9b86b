/** The terminal program over this process. */
import { runTerminal } from '../terminal/runTerminal.ts';
import { endProcess } from './terminal/stopSignals.ts';
import { terminalDeps } from './terminal/terminalDeps.ts';

declare const AUTONOMOUS_VERSION: string;

/** Exits when the verb is done. */
export async function main(argv: readonly string[]): Promise<void> {
  endProcess(await runTerminal(argv, terminalDeps(AUTONOMOUS_VERSION)));
}
