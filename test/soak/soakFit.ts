/** A straight line through what was measured, and whether it rises by more than noise. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly slope: number;
  /** One standard error of the slope. */
  readonly error: number;
  /** Where the line begins, at the smallest x. */
  readonly begin: number;
  /** From there to the largest x. */
  readonly span: number;
}

/** By least squares; null: of fewer than three points, or of points at one place, nothing can be told. */
export function lineThrough(points: readonly Point[]): Line | null {
  if (points.length < 3) return null;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const xs = points.map(({ x }) => x);
  const [midX, midY] = [mean(xs), mean(points.map(({ y }) => y))];
  const spread = xs.reduce((sum, x) => sum + (x - midX) ** 2, 0);
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  if (spread === 0) return null;
  const slope = points.reduce((sum, { x, y }) => sum + (x - midX) * (y - midY), 0) / spread;
  const left = points.reduce((sum, { x, y }) => sum + (y - midY - slope * (x - midX)) ** 2, 0);
  const error = Math.sqrt(left / (points.length - 2) / spread);
  return { slope, error, begin: midY + slope * (least - midX), span: most - least };
}
