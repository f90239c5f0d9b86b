/**
 * Manages epochs (fencing tokens): one file each, claimed by creating it, that names its owner. The process with the
 * highest epoch is the owner.
 */
import { join } from 'node:path';
import type { Claimant } from '../../engine/state/claimPorts.ts';
import { makeFile } from '../../engine/state/filePorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { failure } from '../../shared/errors.ts';

const EPOCH = /^[1-9]\d{0,8}$/;
const MAX_EPOCH = 999_999_999;
const CLAIM_TRIES = 100;
/** Last line of a released claim. */
const RELEASED = Buffer.from('released\n');

async function claimed(folder: string, ops: FileOps): Promise<number[]> {
  return (await ops.list(folder)).filter((name) => EPOCH.test(name)).map(Number);
}

/** Without a claimant, claims are empty and other claims are not checked. */
const NOBODY: Claimant = {
  claim: new Uint8Array(),
  gone: async () => undefined,
  claimed: async () => undefined,
};

const highestOf = (epochs: readonly number[]): number => Math.max(0, ...epochs);

/** Checks the highest claim. */
export async function askHighest(
  folder: string,
  ops: FileOps,
  { gone }: Pick<Claimant, 'gone'>,
  epochs?: readonly number[],
): Promise<void> {
  const highest = highestOf(epochs ?? (await claimed(folder, ops)));
  if (highest === 0) return;
  const path = join(folder, String(highest));
  await gone((await ops.read(path)) ?? new Uint8Array(), path);
}

/**
 * Claims the epoch above all others, durably, after the process with the highest epoch has ended. `floor`: the highest
 * epoch that a segment names. Older claims are removed: only the highest counts.
 */
export async function claimEpoch(
  folder: string,
  floor: number,
  ops: FileOps,
  claimant: Claimant = NOBODY,
): Promise<number> {
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const before = await claimed(folder, ops);
    await askHighest(folder, ops, claimant, before);
    const epoch = Math.max(floor, highestOf(before)) + 1;
    if (epoch > MAX_EPOCH) break;
    const path = join(folder, String(epoch));
    // A claim that was made since has this number: nothing is claimed above a process that works.
    if (!(await makeFile(ops, path, claimant.claim))) continue;
    try {
      const after = await claimed(folder, ops);
      if (highestOf(after) === epoch) {
        // Checks a claim that had not yet named its owner, which is possible on a disk without links.
        await askHighest(
          folder,
          ops,
          claimant,
          after.filter((other) => other < epoch),
        );
        await claimant.claimed(async () => highestOf(await claimed(folder, ops)) === epoch);
        for (const old of before) await ops.remove(join(folder, String(old)));
        return epoch;
      }
    } catch (thrown) {
      // An owner that cannot work claims nothing. The first failure is the one to throw.
      await ops.remove(path).catch(() => undefined);
      throw thrown;
    }
    await ops.remove(path);
  }
  throw failure('STATE_DAMAGED', `no epoch can be claimed in ${folder}`, { details: { path: folder } });
}

/** The number and the content of the highest claim; empty content if there is no claim. */
export async function highestClaim(folder: string, ops: FileOps): Promise<{ epoch: number; claim: Uint8Array }> {
  const epoch = highestOf(await claimed(folder, ops));
  const claim = epoch === 0 ? null : await ops.read(join(folder, String(epoch)));
  return { epoch, claim: claim ?? new Uint8Array() };
}

/**
 * Ends a claim: its owner stopped working, though its process may continue. A claim that was removed stays removed.
 * `last`: a line with the last committed event.
 */
export async function releaseEpoch(folder: string, mine: number, ops: FileOps, last = ''): Promise<void> {
  const path = join(folder, String(mine));
  if ((await ops.stat(path))?.kind !== 'file') return;
  const file = await ops.openAppend(path);
  try {
    await file.write(Buffer.concat([Buffer.from(last), RELEASED]));
    await file.sync();
  } finally {
    await file.close();
  }
}

export const isReleased = (claim: Uint8Array): boolean =>
  Buffer.from(claim).subarray(-RELEASED.length).equals(RELEASED);

/** Throws OWNER_LOST if another process claimed a higher epoch, or if the claim was removed with its folder. */
export async function checkEpoch(folder: string, mine: number, ops: FileOps): Promise<void> {
  const epochs = await claimed(folder, ops);
  const highest = highestOf(epochs);
  if (highest === mine) return;
  const what = highest > mine ? 'another process took over this workspace' : 'the state folder was removed or replaced';
  throw failure('OWNER_LOST', what, {
    hint: 'Nothing more was written by this process. Start again to look at what counts now.',
    details: { epoch: mine, highest },
  });
}
