/**
 * A program that claims a state and answers for it, when it is told to. Each line of its input is `start` or `close`; each line of its
 * output is `owner`, `closed`, or the code of a failure. Arguments: the folder of an installation, that of a repository, and the
 * bundle of SQLite.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { systemClock } from '../../../src/adapters/clock.ts';
import { claimState, type OwnedState } from '../../../src/app/open/ownership/claims.ts';
import { asFailure } from '../../../src/shared/errors.ts';
import { workspacePathsOf } from '../state/testPaths.ts';

const [folder = '', repository = '', wasmFile = ''] = process.argv.slice(2);
const real = systemClock();
/** A claim of a living process is refused after two seconds. */
const FASTER = 50;
const clock = {
  ...real,
  monotonic: () => real.monotonic() * FASTER,
  sleep: (ms: number, signal?: AbortSignal) => real.sleep(ms / FASTER, signal),
};
let owned: OwnedState | null = null;

async function act(command: string): Promise<string> {
  try {
    if (command === 'close') {
      await owned?.store.close();
      await owned?.listening.close();
      return 'closed';
    }
    owned = await claimState({
      places: workspacePathsOf(folder, repository),
      clock,
      wasmFile,
      version: 'test',
      isShipped: async () => false,
      problem: ({ what }) => writeSync(2, what),
      functions: { who: async () => process.pid },
    });
    return 'owner';
  } catch (thrown) {
    return asFailure(thrown).code;
  }
}

for await (const command of createInterface(process.stdin)) writeSync(1, `${await act(command)}\n`);
