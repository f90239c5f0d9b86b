/** Makes this process the owner of a workspace's state. */
import { type Listening, type ListenOptions, listen } from '../../../adapters/ipc/server.ts';
import { platform } from '../../../adapters/platform/platform.ts';
import type { Store } from '../../../engine/state/store.ts';
import { failure } from '../../../shared/errors.ts';
import { ownState } from '../store.ts';
import { guardClaims } from './guardClaims.ts';

type StateOptions = Omit<Parameters<typeof ownState>[0], 'claimant'>;

interface ClaimOptions extends StateOptions, Pick<ListenOptions, 'functions'> {
  readonly takeOver?: boolean;
  readonly problem: NonNullable<StateOptions['problem']>;
}

export interface OwnedState {
  readonly listening: Listening;
  readonly store: Store;
}

/**
 * Clients find this process once it has claimed the state. Throws OWNER_BUSY, NOT_PERMITTED, STATE_NEWER, STATE_FOREIGN and what
 * `ownState` throws.
 */
export async function claimState(options: ClaimOptions): Promise<OwnedState> {
  const { places, clock, functions, takeOver = false } = options;
  const guard = await guardClaims({ places, clock, takeOver });
  const { runtimeDir, stateDir } = places;
  const listening = await listen({
    runtimeDir,
    stateDir,
    functions,
    clock,
    replaceSilent: takeOver,
    // macOS also refuses a connection to a living process that has too many waiting ones.
    former: (deaf) => guard.free(platform.name === 'macos' ? null : deaf),
  });
  const problem = (what: string): void => options.problem({ file: runtimeDir, line: null, what });
  try {
    const claimant = guard.claimant(listening.mark, (isOwner) => listening.open({ isOwner, problem }));
    const store = await ownState({ ...options, claimant });
    if (store.epoch > 0) return { listening, store };
    await store.close();
    throw notOwn(store);
  } catch (thrown) {
    await listening.close();
    throw thrown;
  }
}

function notOwn({ origin }: Store): Error {
  if (origin === 'newer') {
    return failure('STATE_NEWER', 'the state in .autonomous was written by a newer version of Autonomous', {
      hint: 'It can be looked at with `autonomous board`. To continue it, update Autonomous.',
    });
  }
  return failure('STATE_FOREIGN', 'the state in .autonomous was not written by this installation', {
    hint: 'It can be looked at with `autonomous board`. To work here, move the folder .autonomous away.',
  });
}
