/**
 * Corrections that a planner submits instead of a whole plan: changes to the plan that it submitted last, or to the refused plan that it is shown.
 */
import { z } from 'zod';
import { planSchema } from './plan.ts';
import { PLAN_LIMITS } from './planLimits.ts';

const correction = z.object({
  path: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .describe('E.g. ["phases", 0, "features", "a feature\'s name", "depends_on"]'),
  value: z.unknown().optional().describe('If omitted, the part is removed'),
});
export type PlanCorrection = z.infer<typeof correction>;

const corrections = z
  .array(correction)
  .max(PLAN_LIMITS.features)
  .describe(
    'Instead of a plan: changes to the plan that you submitted last in this conversation, or else to the refused plan that you are shown. The rest of it is kept',
  );

/** The model reads this. A call with `corrections` has no other field. */
export const submittedPlanSchema = planSchema.partial().extend({ corrections: corrections.optional() });

export const planCorrectionsSchema = z.strictObject({ corrections });
