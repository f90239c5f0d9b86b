/** The real worker thread of a project; while `$FAULTS/<project>` has lines, each of its threads ends in the way that one of them names. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { WorkerData } from '../../src/adapters/ipc/projectThread.ts';

export type Fault = 'throws' | 'exits' | 'eats memory' | 'is busy for ever';

const FAULTS: Record<Fault, () => void> = {
  throws: () => {
    throw new Error('planted');
  },
  exits: () => process.exit(3),
  'eats memory': () => {
    for (const eaten: unknown[] = []; ; ) eaten.push(Array.from({ length: 1_000 }, () => ({})));
  },
  'is busy for ever': () => {
    for (;;);
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
