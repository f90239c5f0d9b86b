/** The soak: the program at work for a while, with faults on, observed all the time. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24, root, run } from '../setup.mjs';
import { figuresIn, table, writeFigures } from './trust.mjs';

const LEAST_TO_WRITE_MINUTES = 20;

/**
 * Resolves to the exit code. With `write` the figures replace those of docs/TRUST.md.
 * @param {{ folder: string, env: NodeJS.ProcessEnv, minutes: number, write: boolean }} options
 */
export async function soak({ folder, env, minutes, write }) {
  if (process.platform !== 'linux') throw new Error('the soak reads /proc: it runs on Linux only');
  if (write && minutes < LEAST_TO_WRITE_MINUTES)
    throw new Error(
      `--write needs a soak of at least ${LEAST_TO_WRITE_MINUTES} minutes: a shorter one is mostly warm-up`,
    );
  const file = join(folder, 'soak.jsonl');
  const code = await run(node24, [join(root, 'test', 'soak', 'run.ts'), String(minutes * 60)], {
    env: { ...env, PROOF_FIGURES: file },
  });
  const figures = existsSync(file) ? figuresIn(readFileSync(file, 'utf8')) : [];
  console.log(`\n${table(figures)}\n`);
  if (write && code === 0) {
    const day = new Date().toISOString().slice(0, 10);
    await writeFigures('soak', { day, minutes, figures, planted: [] });
  }
  return code;
}
