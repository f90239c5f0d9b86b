/** The terminal program over this process. */
import { runTerminal } from '../terminal/runTerminal.ts';
import { terminalDeps } from './terminalDeps.ts';

declare const AUTONOMOUS_VERSION: string;

export async function main(argv: readonly string[]): Promise<number> {
  return runTerminal(argv, terminalDeps(AUTONOMOUS_VERSION));
}
