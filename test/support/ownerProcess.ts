/**
 * A process that owns a state and commits as fast as it can; on losing it, it takes over again. Run by
 * `node ownerProcess.ts <root> <key hex> [unfenced]`. Each line of its output is an acknowledged commit:
 * `<seq> <epoch> <number>`. `unfenced` plants the bug that the harness must catch: it never looks at the epochs.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/adapters/clock.ts';
import { nodeFiles } from '../../src/adapters/files.ts';
import type { FileOps } from '../../src/engine/ports.ts';
import { findFailure } from '../../src/shared/errors.ts';
import { open } from './stateFolder.ts';

const [root = '', key = '', unfenced] = process.argv.slice(2);
const stateDir = join(root, '.autonomous');
const clock = systemClock();
const folder = { root, stateDir, key: Buffer.from(key, 'hex'), [Symbol.dispose]: () => undefined };

/** Sees no epoch but the one it claimed last. */
function blind(): FileOps {
  let mine: string | null = null;
  return {
    ...nodeFiles,
    create: async (path, data) => {
      const done = await nodeFiles.create(path, data);
      if (done && path.includes('epoch')) mine = path.split(/[\\/]/).at(-1) ?? null;
      return done;
    },
    list: async (path) => (path.endsWith('epoch') && mine !== null ? [mine] : nodeFiles.list(path)),
  };
}

async function own(): Promise<void> {
  const store = await open(folder, { ops: unfenced === undefined ? nodeFiles : blind(), segmentBytes: 50_000 });
  for (let n = 0; ; n++) {
    const numbers = [0, 1, 2].map((index) => process.pid * 10_000_000 + n * 3 + index);
    const commits = numbers.map(async (number) => {
      const limits = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: number };
      const event = await store.commit({ type: 'limits_set', limits, by: 'steward' });
      writeSync(1, `${event.seq} ${event.epoch} ${number}\n`);
    });
    await Promise.all(commits);
    await clock.sleep(1);
  }
}

for (;;) {
  try {
    await own();
  } catch (thrown) {
    const code = findFailure(thrown)?.code;
    if (code !== 'OWNER_LOST' && code !== 'STATE_DAMAGED') throw thrown;
    await clock.sleep(20 + Math.random() * 60);
  }
}
