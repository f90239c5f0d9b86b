/**
 * `npm run test:soak`: the program at work for 30 minutes, with its faults; `--minutes=N`, `--hours=N`, or `--quick` for one of 60 s.
 * With --write its figures become those of docs/TRUST.md. PROOF_SEED chooses other faults.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv, ensurePackages, main, node24, root, run } from './setup.mjs';
import { figuresIn, table, writeFigures } from './trust.mjs';

const UNITS = { minutes: 60, hours: 3_600 };

function secondsOf(words) {
  if (words.includes('--quick')) return 60;
  for (const word of words) {
    const [, unit, number] = /^--(minutes|hours)=(\d+(?:\.\d+)?)$/.exec(word) ?? [];
    if (unit !== undefined) return UNITS[unit] * Number(number);
  }
  return 30 * UNITS.minutes;
}

const words = process.argv.slice(2);
const strange = words.find((word) => !/^--(quick|write|(minutes|hours)=\d+(\.\d+)?)$/.test(word));
if (strange !== undefined) throw new Error(`${strange}: say --minutes=N, --hours=N, --quick or --write`);
if (words.includes('--write') && secondsOf(words) < 20 * UNITS.minutes)
  throw new Error('of less than 20 minutes nothing is written: too much of it is warm-up');

await main(async () => {
  if (process.platform !== 'linux') throw new Error('A soak looks into /proc: it runs on Linux alone.');
  await ensurePackages();
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-soaked-'));
  const told = join(folder, 'figures.jsonl');
  const seconds = secondsOf(words);
  try {
    const env = { ...cleanEnv().tools, PROOF_FIGURES: told };
    const code = await run(node24, [join(root, 'test', 'soak', 'run.ts'), String(seconds)], { env });
    const figures = existsSync(told) ? figuresIn(readFileSync(told, 'utf8')) : [];
    console.log(`\n${table(figures)}\n`);
    if (words.includes('--write') && code === 0) {
      const [day, minutes] = [new Date().toISOString().slice(0, 10), seconds / 60];
      await writeFigures('soak', { day, minutes, figures, planted: [] });
    }
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
