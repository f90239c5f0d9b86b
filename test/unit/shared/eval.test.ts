/** The records of evals, and their fields in docs/eval.md. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { evalNoteSchema, evalResultSchema } from '../../../src/shared/eval/records.ts';
import { lost, resultOf, started } from '../../support/eval/records.ts';

const page = readFileSync(new URL('../../../docs/eval.md', import.meta.url), 'utf8');

it('docs/eval.md lists each field of a result, in its order', () => {
  const [, table = ''] = page.split('## Records');
  expect([...table.matchAll(/^\| `(\w+)` /gm)].map(([, field]) => field)).toEqual(Object.keys(evalResultSchema.shape));
});

it('reads its own records, and no result without a cost', () => {
  expect(evalResultSchema.parse(resultOf())).toEqual(resultOf());
  const { microUsd: _, ...free } = resultOf();
  expect(evalResultSchema.safeParse(free).success).toBe(false);
  for (const note of [started('a'), lost('a')]) expect(evalNoteSchema.parse(note)).toEqual(note);
});
