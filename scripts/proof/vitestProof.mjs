/** Runs the proofs of vitest: the long forms of test/faults and test/hostile, only their planted bugs, and real agents. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup.mjs';
import { figuresIn, measuredBefore, plantedIn, remeasured, table, writeFigures } from './trust.mjs';

/**
 * Runs projects of vitest, or only some of their files. Resolves to the exit code and the parsed report (null if there is none).
 * @param {{ name: string, projects: readonly string[], files: readonly string[], only?: string, folder: string, env: NodeJS.ProcessEnv }} options
 */
export async function vitestProof({ name, projects, files, only, folder, env }) {
  const report = join(folder, `${name}.json`);
  const words = [
    ...projects.flatMap((project) => ['--project', project]),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ...(only === undefined ? [] : ['-t', only]),
    ...files,
  ];
  const code = await run('vitest', ['run', ...words], { env });
  return { code, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null };
}

/**
 * The long form of `faults` or `hostile` and its figures as a table. With `write` they replace those of docs/TRUST.md; those of some files
 * replace the same ones of the last whole run.
 * @param {{ name: 'faults' | 'hostile', files: readonly string[], folder: string, env: NodeJS.ProcessEnv, write: boolean }} options
 */
export async function longForm({ name, files, folder, env, write }) {
  const file = join(folder, `${name}.jsonl`);
  const began = Date.now();
  const long = { ...env, PROOF: 'long', PROOF_FIGURES: file };
  const { code, report } = await vitestProof({ name, projects: [name], files, folder, env: long });
  const figures = existsSync(file) ? figuresIn(readFileSync(file, 'utf8')) : [];
  console.log(`\n${table(figures)}\n`);
  const minutes = Math.round((Date.now() - began) / 6_000) / 10;
  if (write && code === 0 && report !== null) {
    const measured = { day: new Date().toISOString().slice(0, 10), minutes, figures, planted: plantedIn(report) };
    const before = files.length === 0 ? null : measuredBefore(name);
    await writeFigures(name, before === null ? measured : remeasured(before, measured));
  }
  return { code, report };
}
