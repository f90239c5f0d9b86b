/**
 * What keeps two owners from working at once: a claim says, under this installation's seal, which process made it, and nobody
 * claims anew before that process gave up its claim or is gone. Whatever it ran is gone then too.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { nodeFiles } from '../adapters/files.ts';
import { askHighest, type Claimant, isReleased } from '../adapters/log/epoch.ts';
import { loadKey } from '../adapters/log/key.ts';
import { lineSeal } from '../adapters/log/seal.ts';
import { endProcess, isGoneWithin, ownMark, type ProcessMark, whereabouts } from '../adapters/shell/otherProcess.ts';
import type { Places } from '../engine/state/places.ts';
import type { LineSeal } from '../engine/storePorts.ts';
import type { Clock } from '../shared/clock.ts';
import { failure } from '../shared/errors.ts';

/** How long a process that ends by itself may take, once its socket is gone. */
const DYING_MS = 2_000;

interface Claim extends ProcessMark {
  /** Of which state folder. */
  readonly state: string;
  readonly socket: string;
}

export interface ClaimOptions {
  readonly places: Places;
  readonly clock: Clock;
  /** Ends a living process that holds the claim, once. */
  readonly takeOver: boolean;
}

export interface ClaimGuard {
  /** Before the socket is taken. `deaf`: mark of a socket at which nobody listens any more. */
  free(deaf: string | null): Promise<void>;
  /** `mark`: of our socket. */
  claimant(mark: string): Claimant;
}

/** A copy of a state holds the claim of the one that it was copied from: that is none of its own. */
const nameOf = (stateDir: string): string => createHash('sha256').update(stateDir).digest('hex');

/** Null: nobody's, or cut off by a crash of the machine before its owner began. */
function readClaim(bytes: Uint8Array, seal: LineSeal, stateDir: string): Claim | null {
  const line = Buffer.from(bytes).subarray(0, -1);
  if (isReleased(bytes) || seal.check(line) === null) return null;
  const claim = JSON.parse(line.toString('utf8')) as Claim;
  return claim.state === nameOf(stateDir) ? claim : null;
}

export async function claimGuard({ places, clock, takeOver }: ClaimOptions): Promise<ClaimGuard> {
  const { stateDir, configDir, jobsDir } = places;
  const seal = lineSeal(await loadKey(configDir, nodeFiles), 'claim');
  let [deaf, mayEnd]: [string | null, boolean] = [null, takeOver];

  const gone: Claimant['gone'] = async (bytes, path) => {
    // A named pipe of Windows is its process's own: who does not find it has found its end.
    const claim = process.platform === 'win32' ? null : readClaim(bytes, seal, stateDir);
    if (claim === null) return;
    const where = whereabouts(claim);
    // The kernel closes a socket when the process is past its end, wherever it ran on this machine.
    const closed = claim.socket === deaf && claim.boot === ownMark().boot;
    if (where === 'self' || where === 'gone' || closed) return;
    if (where === 'unknown') throw unseen(claim, path);
    if (!mayEnd && (await isGoneWithin(claim, DYING_MS, clock))) return;
    if (!mayEnd) throw busy(claim);
    mayEnd = false;
    await endProcess(claim, [jobsDir], clock);
  };

  return {
    free: async (mark) => {
      deaf = mark;
      await askHighest(join(stateDir, 'epoch'), nodeFiles, { claim: new Uint8Array(), gone });
    },
    claimant: (mark) => {
      const claim: Claim = { ...ownMark(), state: nameOf(stateDir), socket: mark };
      return { claim: Buffer.from(`${seal.seal(JSON.stringify(claim)).line}\n`), gone };
    },
  };
}

const busy = ({ pid }: ProcessMark): Error =>
  failure('OWNER_BUSY', `process ${pid} works on this workspace and cannot be reached`, {
    hint: 'End that process; in VS Code, Take Over does so.',
    details: { pid, silent: true },
  });

const unseen = ({ pid }: ProcessMark, path: string): Error =>
  failure('OWNER_BUSY', `process ${pid}, of another machine or container, may still work on this workspace`, {
    hint: `End it there. When it is certain that it is gone, remove ${path}.`,
    details: { pid, silent: true },
  });
