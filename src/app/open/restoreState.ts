/** Restores the events that the database contains beyond a log that lost its end. */
import type { RestoredState } from '../../engine/workspace/workspace.ts';
import type { Event, EventOf } from '../../shared/workspace/events.ts';
import { becomeOwner } from '../owner/owner.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';
import { lookAtState, readEvents } from './store.ts';

/** Returns null if the log did not lose its end. Throws the errors of `becomeOwner`. */
export async function restoreState(options: OwnerOptions): Promise<RestoredState | null> {
  const seen = await lookAtState(options);
  await seen.close();
  if (seen.lostTail === null) return null;
  const owner = await becomeOwner({ ...options, work: false, restores: true });
  await owner.close();
  const event = (await readEvents(options)).findLast(isRestored);
  if (event === undefined) throw new Error('the state was restored without an event');
  const { found, known, source, changes } = event;
  return { found, known, source, taken: changes.length > 0 };
}

const isRestored = (event: Event): event is EventOf<'state_restored'> => event.type === 'state_restored';
