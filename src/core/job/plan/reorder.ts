/** Moves a feature to another position of its phase. */
import type { FeatureRow } from '../../../shared/job/rows.ts';

/**
 * The features whose position changes when `id` moves to `position` (or to the end), with their new positions. `rows`: the features of the phase, in
 * order.
 */
export function reordered(
  rows: readonly Pick<FeatureRow, 'id' | 'position'>[],
  id: number,
  position: number,
): { readonly id: number; readonly position: number }[] {
  const moved = rows.find((row) => row.id === id);
  if (moved === undefined) return [];
  const at = rows.findIndex((row) => row.position >= position);
  const order = rows.filter((row) => row !== moved);
  order.splice(at === -1 ? order.length : at, 0, moved);
  const first = rows[0]?.position ?? 1;
  return order
    .map((row, index) => ({ id: row.id, position: first + index, was: row.position }))
    .filter((row) => row.position !== row.was)
    .map(({ id: of, position: to }) => ({ id: of, position: to }));
}
