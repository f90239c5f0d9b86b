/** Limits of plans. Separate from the schemas, so that code that only reads rows loads no validator. */

/** Ceilings of a plan; over them a repair turn, then the steward, never a silent cut. */
export const PLAN_LIMITS = {
  phases: 200,
  features: 500,
  list: 50,
  questions: 10,
  name: 120,
  text: 8_000,
  command: 1_000,
} as const;
