/** Records of evals on a real disk: durable lines, and what a kill in the middle of a line leaves. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEvalRecords } from '../../../../../src/adapters/files/eval/evalRecords.ts';
import { nodeFiles } from '../../../../../src/adapters/files/files.ts';
import { resultOf, started } from '../../../../support/eval/records.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'records-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const opened = () => openEvalRecords(join(folder, 'eval'), nodeFiles);

it('keeps what was added', async () => {
  const records = await opened();
  await records.addResult(resultOf());
  await records.addNote(started('a'));
  await records.addResult(resultOf({ repetition: 2 }));
  expect(records.results).toHaveLength(2);
  const again = await opened();
  expect(again.results).toEqual([resultOf(), resultOf({ repetition: 2 })]);
  expect(again.notes).toEqual([started('a')]);
});

it('a torn line is left out, and the next one is whole', async () => {
  await (await opened()).addResult(resultOf());
  const file = join(folder, 'eval', 'results.jsonl');
  appendFileSync(file, '{"version":1,"at":"2026');
  await (await opened()).addResult(resultOf({ repetition: 2 }));
  expect((await opened()).results.map(({ repetition }) => repetition)).toEqual([1, 2]);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
});
