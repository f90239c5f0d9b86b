/** Looks after files of an owner's process that are in no folder of its state. */
import { tmpdir } from 'node:os';
import { SCRATCH_PREFIX } from '../../adapters/git/user/scratchRepository.ts';
import { reportHeldFiles } from '../../adapters/platform/heldFiles.ts';
import { removeLeft } from '../../adapters/shell/sandbox/leftFolders.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure } from '../../shared/errors.ts';

/** Removes what a killed process left, and reports files that other programs hold. */
export function lookAfterFiles(clock: Clock, problem: (text: string) => void): void {
  reportHeldFiles(problem);
  void removeLeft(tmpdir(), SCRATCH_PREFIX, clock).catch((thrown: unknown) => problem(asFailure(thrown).message));
}
