/** Reads the running work of the owner of a workspace, for a process without ownership. */
import { unfinishedConversations } from '../../core/project/conversations.ts';
import { statedWork } from '../../core/workspace/work/statedWork.ts';
import { AT_WORK } from '../../engine/state/api.ts';
import { findFailure } from '../../shared/errors.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { Looking } from '../open/ownership/presence.ts';

/** An owner of an older version does not name its turns: then the state decides. */
export function answeredAtWork(answer: unknown, state: State): AtWork {
  const known = answer as Omit<AtWork, 'turns'> & Partial<AtWork>;
  return { ...known, turns: known.turns ?? [...unfinishedConversations(state)] };
}

/** Returns null if no owner can be reached. An owner of an older version cannot answer: then the statuses decide. */
export async function askAtWork({ places, clock }: Looking, state: State): Promise<AtWork | null> {
  const { connect } = await import('../../adapters/ipc/client.ts');
  try {
    const { runtimeDir, stateDir } = places;
    const connection = await connect({ runtimeDir, stateDir, clock });
    try {
      return answeredAtWork(await connection.call(AT_WORK, {}), state);
    } finally {
      connection.close();
    }
  } catch (thrown) {
    const code = findFailure(thrown)?.code;
    if (code === 'OWNER_UNREACHABLE') return null;
    if (code === 'NOT_FOUND') return statedWork(state);
    throw thrown;
  }
}
