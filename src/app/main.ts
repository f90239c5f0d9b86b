/** Runs the terminal program in this process. */
import { runTerminal } from '../terminal/runTerminal.ts';
import { endProcess } from './terminal/stopSignals.ts';
import { terminalDeps } from './terminal/terminalDeps.ts';

declare const AUTONOMOUS_VERSION: string;

/** Exits when the subcommand has ended. */
export async function main(argv: readonly string[]): Promise<void> {
  endProcess(await runTerminal(argv, terminalDeps(AUTONOMOUS_VERSION)));
}
