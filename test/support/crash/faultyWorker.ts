/** The real worker thread of a project; while `$FAULTS/<project>` has lines, each of its threads ends in the way that one of them names. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { WorkerData } from '../../../src/adapters/ipc/projectThread.ts';

export type Fault = 'throws' | 'exits' | 'eats memory' | 'is busy for ever';

const FAULTS: Record<Fault, () => void> = {
  throws: () => {
    throw new Error('planted');
  },
  exits: () => process.exit(3),
  'eats memory': () => {
    for (const eaten: unknown[] = []; ; ) eaten.push(Array.from({ length: 1_000 }, () => ({})));
  },
  // As deaf as one that calculates, and leaves the processor to others.
  'is busy for ever': () => {
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    for (;;) Atomics.wait(nobody, 0, 0, 1_000);
  },
};

function planned(): Fault | undefined {
  const file = join(process.env['FAULTS'] ?? '', (workerData as WorkerData).start.projectId);
  if (!existsSync(file)) return undefined;
  const [fault, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, rest.join('\n'));
  return fault === '' ? undefined : (fault as Fault);
}

await import(process.env['WORKER'] ?? '');
const fault = planned();
if (fault !== undefined) setTimeout(FAULTS[fault], 20);
