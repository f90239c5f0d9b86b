import { expect, it } from 'vitest';
import { reordered } from '../../../../../src/core/job/plan/reorder.ts';

const rows = [
  { id: 11, position: 1 },
  { id: 12, position: 2 },
  { id: 13, position: 3 },
];
const after = (id: number, position: number): number[] => {
  const to = new Map(reordered(rows, id, position).map((row) => [row.id, row.position]));
  return [...rows].sort((a, b) => (to.get(a.id) ?? a.position) - (to.get(b.id) ?? b.position)).map((row) => row.id);
};

it('takes the place of another, which makes room', () => {
  expect(after(13, 1)).toEqual([13, 11, 12]);
  expect(after(11, 3)).toEqual([12, 13, 11]);
  expect(after(11, 2)).toEqual([12, 11, 13]);
});

it('goes last when the place does not exist, and changes nothing at its own', () => {
  expect(after(11, 99)).toEqual([12, 13, 11]);
  expect(reordered(rows, 12, 2)).toEqual([]);
  expect(reordered(rows, 99, 1)).toEqual([]);
});
