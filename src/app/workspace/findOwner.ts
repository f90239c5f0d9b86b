/** Finds the owner of a workspace and its current work, for a process without ownership. */
import { statedWork } from '../../core/workspace/work/statedWork.ts';
import type { FoundOwner } from '../../engine/workspace/workspace.ts';
import { NOTHING_AT_WORK } from '../../shared/workspace/atWork.ts';
import type { State } from '../../shared/workspace/state.ts';
import { isOwned, type Looking, silentOwner } from '../open/ownership/presence.ts';
import { askAtWork } from './atWork.ts';

const NONE: FoundOwner = { owned: false, atWork: NOTHING_AT_WORK, silent: null };

/** `ownerAlive`: whether one answered a moment ago. */
export async function findOwner(looking: Looking, state: State, ownerAlive: boolean): Promise<FoundOwner> {
  const asked = async (): Promise<FoundOwner | null> => {
    const atWork = await askAtWork(looking, state);
    return atWork === null ? null : { owned: true, atWork, silent: null };
  };
  const first = ownerAlive ? await asked() : null;
  if (first !== null) return first;
  const silent = await silentOwner(looking);
  if (silent === null) return NONE;
  // One that was starting has its socket by now.
  const late = (await isOwned(looking)) ? await asked() : null;
  return late ?? { owned: null, atWork: statedWork(state), silent };
}
