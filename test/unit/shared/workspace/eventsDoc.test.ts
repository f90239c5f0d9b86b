/** docs/events.md tells every type of event, and no other. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../../src/core/workspace/reduce.ts';

it('docs/events.md has each type of event once', () => {
  const text = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8');
  const first = text.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|')[1] ?? ''] : []));
  const told = first.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, type]) => type));
  expect(told.toSorted()).toEqual([...EVENT_TYPES].toSorted());
});
