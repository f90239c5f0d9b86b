/** A platform on which other programs hold files, as Windows is one: how the program is built and started for it. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Patience, patiently, whileHeld } from '../../../src/adapters/platform/heldFiles.ts';
import type { PlantedBug } from '../suite/plantedBug.ts';
import type { HeldPlan } from './heldWords.ts';

const HELD_FILES = 'src/adapters/platform/heldFiles.ts';

/** The program as on Windows in this one respect, and without time: of a wait counts how often it was made. */
export const HOLDING: readonly PlantedBug[] = [
  { file: 'src/adapters/platform/posix.ts', find: 'holdsFiles: false', put: 'holdsFiles: true' },
  { file: HELD_FILES, find: 'setTimeout(wake, ms)', put: 'setImmediate(wake)' },
  { file: HELD_FILES, find: 'let wait = firstMs;', put: 'let wait = firstMs, slept = 0;' },
  { file: HELD_FILES, find: 'const waited = now() - since;', put: 'const waited = slept;' },
  { file: HELD_FILES, find: 'return next;', put: 'slept += next; return next;' },
  { file: HELD_FILES, find: 'SharedArrayBuffer(4)), 0, 0, ms)', put: 'SharedArrayBuffer(4)), 0, 0, 0)' },
  {
    file: 'src/engine/workspace/threads/projectSupervisor.ts',
    find: 'DISK_AGAIN_MS = 30_000',
    put: 'DISK_AGAIN_MS = 20',
  },
  { file: 'src/engine/task/lead/run.ts', find: 'DISK_AGAIN_MS = 30_000', put: 'DISK_AGAIN_MS = 20' },
];

const PRELOAD = fileURLToPath(new URL('./heldPreload.ts', import.meta.url));

/** Words for Node; its worker threads get them too. */
export function heldFlags(plan: HeldPlan): string[] {
  const url = pathToFileURL(PRELOAD);
  url.searchParams.set('plan', JSON.stringify(plan));
  return [`--import=${url.href}`];
}

/** How many attempts may fail until the program gives up: to rename or remove, and to run a command of git. */
export async function attemptsWaited(): Promise<{ readonly files: number; readonly git: number }> {
  let [slept, files, git] = [0, 0, 0];
  const sleepSync = (ms: number): void => {
    slept += ms;
  };
  const patience: Patience = {
    now: () => slept,
    sleep: async (ms) => sleepSync(ms),
    sleepSync,
    report: () => undefined,
  };
  const act = (): Promise<never> => {
    files++;
    throw Object.assign(new Error('held'), { code: 'EBUSY' });
  };
  await patiently('', async () => act(), patience).catch(() => undefined);
  const run = async (): Promise<void> => void git++;
  await whileHeld({ program: '', place: '' }, run, () => 'held', patience);
  return { files: files - 1, git: git - 1 };
}
