/** Results of evals as evidence: those of this machine are read, and those that may have come with the repository are not. */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { recordedResults } from '../../../src/app/eval/recordedResults.ts';
import { findWorkspacePaths } from '../../../src/app/workspace/findWorkspacePaths.ts';
import { resultOf } from '../../support/eval/records.ts';
import { FIXED_CLOCK, plainGit, startRepository, writeFiles } from '../../support/git/gitFixture.ts';

const FILE = '.autonomous/eval/results.jsonl';
const LINE = `${JSON.stringify(resultOf())}\n`;

let repo = '';
let problems: string[] = [];
beforeEach(() => {
  repo = realpathSync(mkdtempSync(join(inject('tempRoot'), 'recorded-')));
  startRepository(repo, { 'README.md': 'A program.\n' });
  problems = [];
});
afterEach(() => rmSync(repo, { recursive: true, force: true }));

const read = async (folder = repo) => {
  const places = await findWorkspacePaths(folder, join(repo, 'jobs'));
  return recordedResults({ places, clock: FIXED_CLOCK, env: process.env }, (text) => problems.push(text));
};

function commit(path: string): void {
  plainGit(repo, ['add', '--force', path]);
  plainGit(repo, ['commit', '-q', '-m', 'Results of another machine']);
}

test('results of this machine are read, without broken lines, and a line of an earlier version has no worker', async () => {
  expect(await read()).toEqual([]);
  const { worker: _, ...earlier } = resultOf({ repetition: 2 });
  writeFiles(repo, { [FILE]: `${LINE}{"version":1\n{}\n${JSON.stringify(earlier)}\n` });
  expect(await read()).toEqual([resultOf(), { ...earlier, worker: null }]);
  expect(problems).toEqual([]);
});

test('committed results do not count, even if they were changed since', async () => {
  writeFiles(repo, { [FILE]: LINE });
  commit('.autonomous/eval');
  writeFiles(repo, { [FILE]: LINE.repeat(2) });
  expect(await read()).toEqual([]);
  expect(problems).toEqual([
    '.autonomous/eval came with the repository: its results do not count. Take it out of the repository (git rm --cached -r .autonomous/eval) and move it away.',
  ]);
});

test('results in the index alone do not count', async () => {
  writeFiles(repo, { [FILE]: LINE });
  plainGit(repo, ['add', '--force', FILE]);
  expect(await read()).toEqual([]);
  expect(problems).toHaveLength(1);
});

test('results that came with a workspace in a subfolder do not count', async () => {
  const sub = join(repo, 'sub');
  mkdirSync(join(sub, '.autonomous', 'events'), { recursive: true });
  writeFiles(sub, { [FILE]: LINE });
  expect(await read(sub)).toHaveLength(1);
  commit('sub/.autonomous/eval');
  expect(await read(sub)).toEqual([]);
});

test('nothing counts if git cannot say where the results are from, or if they are a link', async () => {
  writeFiles(repo, { [FILE]: LINE });
  renameSync(join(repo, '.git'), join(repo, 'elsewhere'));
  expect(await read()).toEqual([]);
  expect(problems).toEqual([
    expect.stringContaining('Routing does not use the results of evals: not a git repository'),
  ]);
  renameSync(join(repo, 'elsewhere'), join(repo, '.git'));
  writeFileSync(join(repo, 'elsewhere'), LINE);
  rmSync(join(repo, FILE));
  symlinkSync(join(repo, 'elsewhere'), join(repo, FILE));
  expect(await read()).toEqual([]);
});
