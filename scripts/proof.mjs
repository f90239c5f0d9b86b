/**
 * `npm run test:faults`, `npm run test:hostile`: the long form of a proof, and its figures as a table. With --write they become
 * those of docs/TRUST.md; of some files, named by further words, they replace the same ones of the last whole run. PROOF_SEED chooses
 * other random inputs, PROOF_TIMES=10 ten times as many.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv, ensurePackages, ensureSystem, main, run } from './setup.mjs';
import { figuresIn, measuredBefore, plantedIn, remeasured, table, writeFigures } from './trust.mjs';
import { ensureBrowser } from './vscode.mjs';

const [proof, ...rest] = process.argv.slice(2);
if (proof !== 'faults' && proof !== 'hostile') throw new Error('say which: node scripts/proof.mjs faults|hostile');
const write = rest.includes('--write');
const words = rest.filter((word) => word !== '--write');

await main(async () => {
  await ensurePackages();
  const missing = await ensureSystem();
  if (missing) throw new Error(missing);
  if (proof === 'hostile') await ensureBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-proof-'));
  const told = join(folder, 'figures.jsonl');
  const began = Date.now();
  try {
    const env = { ...cleanEnv().tools, PROOF: 'long', PROOF_FIGURES: told };
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await run('vitest', ['run', '--project', proof, ...reporters, ...words], { env });
    const figures = existsSync(told) ? figuresIn(readFileSync(told, 'utf8')) : [];
    console.log(`\n${table(figures)}\n`);
    const minutes = Math.round((Date.now() - began) / 6_000) / 10;
    console.log(`npm run test:${proof}: ${code === 0 ? 'passed' : 'FAILED'} in ${minutes} minutes`);
    if (write && code === 0) {
      const day = new Date().toISOString().slice(0, 10);
      const now = { day, minutes, figures, planted: plantedIn(JSON.parse(readFileSync(report, 'utf8'))) };
      const before = words.length === 0 ? null : measuredBefore(proof);
      await writeFigures(proof, before === null ? now : remeasured(before, now));
    }
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
