/** Finds out once per job what commands find on this machine. The event log holds the answer, so it is the same for all sessions. */
import { LOOK_SCRIPT, readMachine } from '../../core/session/machine.ts';
import type { MachineFacts } from '../../shared/job/rows.ts';
import type { JobContext } from './context.ts';

const PATIENCE_MS = 30_000;
const MAX_BYTES = 64 * 1024;

/** A command that the steward would have to allow does not run: then only the missing sandbox is known. */
export async function lookAtMachine(context: JobContext, folder: string): Promise<MachineFacts> {
  const { output, ended, sandboxed } = await context.commands.run({
    command: LOOK_SCRIPT,
    cwd: folder,
    writable: [],
    home: 'engine',
    env: {},
    network: 'none',
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: MAX_BYTES,
    allowed: [],
    approved: false,
    signal: context.signal,
  });
  const isKnown = ended === null || ended === 'timeout';
  return isKnown ? readMachine(output, sandboxed) : { sandboxed, os: '', shell: '', tools: [] };
}
