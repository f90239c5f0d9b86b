/** Reaching the engine of a workspace: its living owner, or becoming one. */
import type { Engine } from '../engine/api.ts';
import { findFailure } from '../shared/errors.ts';
import { becomeClient } from './client.ts';
import { becomeOwner, type OwnerOptions } from './owner.ts';
import { isOwned } from './presence.ts';

export type AnyEngine = Engine & { readonly owner: boolean };

export async function openEngine(options: OwnerOptions): Promise<AnyEngine> {
  if (await isOwned(options)) return becomeClient(options);
  try {
    return await becomeOwner(options);
  } catch (thrown) {
    // Somebody else was quicker, or holds on without a word.
    if (findFailure(thrown)?.code !== 'OWNER_BUSY') throw thrown;
    return becomeClient(options).catch((unreached: unknown) => {
      throw findFailure(unreached)?.code === 'OWNER_UNREACHABLE' ? thrown : unreached;
    });
  }
}
