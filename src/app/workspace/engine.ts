/** Reaches the engine of a workspace: connects to its living owner, or becomes the owner. */
import { findFailure } from '../../shared/errors.ts';
import { becomeClient, type Client } from '../open/client.ts';
import { isOwned } from '../open/ownership/presence.ts';
import type { Owner } from '../owner/assemble.ts';
import { becomeOwner } from '../owner/owner.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';

export type AnyEngine = Owner | Client;

export async function openEngine(options: OwnerOptions): Promise<AnyEngine> {
  if (await isOwned(options)) return becomeClient(options);
  try {
    return await becomeOwner(options);
  } catch (thrown) {
    // Another process won the race, or the owner does not respond.
    if (findFailure(thrown)?.code !== 'OWNER_BUSY') throw thrown;
    return becomeClient(options).catch((unreached: unknown) => {
      throw findFailure(unreached)?.code === 'OWNER_UNREACHABLE' ? thrown : unreached;
    });
  }
}
