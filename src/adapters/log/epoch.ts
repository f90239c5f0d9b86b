/** Epochs: one empty file each, claimed by creating it. The highest is the owner. */
import { join } from 'node:path';
import type { FileOps } from '../../engine/ports.ts';
import { failure } from '../../shared/errors.ts';

const EPOCH = /^[1-9]\d{0,8}$/;
const MAX_EPOCH = 999_999_999;
const CLAIM_TRIES = 100;

async function claimed(folder: string, ops: FileOps): Promise<number[]> {
  return (await ops.list(folder)).filter((name) => EPOCH.test(name)).map(Number);
}

/**
 * Claims the epoch above all others, durably. `floor`: the highest epoch that a segment names. Older claims are cleared
 * away: only the highest says anything.
 */
export async function claimEpoch(folder: string, floor: number, ops: FileOps): Promise<number> {
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const before = await claimed(folder, ops);
    const epoch = Math.max(floor, ...before) + 1;
    if (epoch > MAX_EPOCH) break;
    if (!(await ops.create(join(folder, String(epoch)), new Uint8Array()))) continue;
    await ops.syncDir(folder);
    for (const old of before) await ops.remove(join(folder, String(old)));
    return epoch;
  }
  throw failure('STATE_DAMAGED', `no epoch can be claimed in ${folder}`, { details: { path: folder } });
}

/** Throws OWNER_LOST when somebody claimed a higher epoch, or when the claim is gone with its folder. */
export async function checkEpoch(folder: string, mine: number, ops: FileOps): Promise<void> {
  const epochs = await claimed(folder, ops);
  const highest = Math.max(0, ...epochs);
  if (highest === mine) return;
  const what = highest > mine ? 'another process took over this workspace' : 'the state folder was removed or replaced';
  throw failure('OWNER_LOST', what, {
    hint: 'Nothing more was written by this process. Start again to look at what counts now.',
    details: { epoch: mine, highest },
  });
}
