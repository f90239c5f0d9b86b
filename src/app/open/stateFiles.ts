/**
 * Opens files of the state on this disk: for changes by the owner of one epoch, and without those that came with the
 * repository.
 */
import { dirname, join } from 'node:path';
import { systemClock } from '../../adapters/clock.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { createGit } from '../../adapters/git/gitPort.ts';
import { checkEpoch } from '../../adapters/log/epoch.ts';
import { ownEnvironment } from '../../adapters/platform/platform.ts';
import { fencedFiles } from '../../engine/state/fencedFiles.ts';
import { reportedOnce, type Shipped } from '../../engine/state/ownFiles.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';

/** File operations for the owner of this epoch. */
export const filesOfEpoch = (stateDir: string, epoch: number): FileOps =>
  fencedFiles(nodeFiles, () => checkEpoch(join(stateDir, 'epoch'), epoch, nodeFiles));

/** One instance for all: it remembers the tracked files of a repository until its index changes. */
const git = createGit({ clock: systemClock(), env: ownEnvironment() });

/** Whether a file came with the repository that contains this state; `problem` receives one text for each such file. */
export const shippedIn = (stateDir: string, problem: (text: string) => void = () => undefined): Shipped =>
  reportedOnce((path) => git.isShipped(dirname(stateDir), path), problem);
