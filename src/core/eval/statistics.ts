/** Intervals for the figures of an eval: how far a few runs can be from what many would show. */

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** `interval` is null if one value alone is known: nothing shows how far others are from it. */
export interface Mean {
  readonly mean: number;
  readonly interval: Interval | null;
}

/** Quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959_963_985;

/** The Wilson score interval of a pass rate, 95 %. From 0 to 1 if there is no run. */
export function wilson(passed: number, runs: number): Interval {
  if (runs === 0) return { low: 0, high: 1 };
  const rate = passed / runs;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / runs + (Z * Z) / (4 * runs * runs));
  const [centre, scale] = [rate + (Z * Z) / (2 * runs), 1 + (Z * Z) / runs];
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** Two-sided quantiles of Student's t distribution, 95 %, for 1 to 30 degrees of freedom. */
const T = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** The mean of values that are not negative, with its t interval of 95 %. Null without a value. */
export function meanOf(values: readonly number[]): Mean | null {
  if (values.length === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 1) return { mean, interval: null };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const spread = (T[values.length - 2] ?? Z) * Math.sqrt(variance / values.length);
  return { mean, interval: { low: Math.max(0, mean - spread), high: mean + spread } };
}
