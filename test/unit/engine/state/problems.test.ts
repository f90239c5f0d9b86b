import { expect, test } from 'vitest';
import { Problems } from '../../../../src/engine/state/problems.ts';

test('each text is told once; who begins to follow hears the first ones and how many more there are', () => {
  const told: string[] = [];
  const problems = new Problems((text) => told.push(text));
  for (let line = 1; line <= 7; line++) problems.add({ file: '1-1.jsonl', line, what: 'damaged line' });
  problems.add({ file: 'features.db', line: null, what: 'it cannot be written' });
  problems.add('features.db: it cannot be written');
  expect(told).toHaveLength(8);
  const late: string[] = [];
  problems.sayTo({ problem: (text) => late.push(text) });
  problems.sayTo({});
  expect(late).toEqual([...told.slice(0, 5), 'and 3 more']);
});
