/** Parses the results that models submit through tools: plan, verdict, report. `core/` decides what they cause. */
import { z } from 'zod';
import { PLAN_LIMITS } from './planLimits.ts';

const line = (max: number) => z.string().trim().min(1).max(max);

const planFeature = z.object({
  name: line(PLAN_LIMITS.name).describe('Short unique name'),
  description: line(PLAN_LIMITS.text),
  category: line(PLAN_LIMITS.name).describe('Area of the code, e.g. auth'),
  testing_steps: z.array(line(PLAN_LIMITS.command)).max(PLAN_LIMITS.list).default([]),
  depends_on: z
    .array(line(PLAN_LIMITS.name))
    .max(PLAN_LIMITS.list)
    .default([])
    .describe('Names of features that must be completed first'),
  verify_commands: z
    .array(line(PLAN_LIMITS.command))
    .max(PLAN_LIMITS.list)
    .optional()
    .describe("Run after this feature instead of the phase's, if those can pass only at the end of the phase"),
  paths: z
    .array(line(PLAN_LIMITS.command))
    .max(PLAN_LIMITS.list)
    .optional()
    .describe(
      'Files or folders that it will mainly change. Features that share one wait for each other, so leave out files to which it only adds a few lines, such as a README or an index',
    ),
  /** Only in a plan that the steward edits: the id of the feature's row. A planner cannot set it with effect. */
  id: z.number().int().positive().optional(),
});

const planPhase = z.object({
  title: line(PLAN_LIMITS.name),
  objective: line(PLAN_LIMITS.text),
  acceptance_criteria: z.array(line(PLAN_LIMITS.command)).min(1).max(PLAN_LIMITS.list),
  verify_commands: z
    .array(line(PLAN_LIMITS.command))
    .max(PLAN_LIMITS.list)
    .default([])
    .describe('Shell commands that exit 0 when the work is right'),
  features: z.array(planFeature).min(1).max(PLAN_LIMITS.features),
  id: z.number().int().positive().optional(),
});

export const planSchema = z.object({
  title: line(PLAN_LIMITS.name).describe('A title for the whole brief'),
  phases: z.array(planPhase).min(1).max(PLAN_LIMITS.phases),
  setup: z
    .array(line(PLAN_LIMITS.command))
    .max(PLAN_LIMITS.list)
    .optional()
    .describe('Commands that install what the work needs and that did not run yet; package registries are allowed'),
  findings: z
    .string()
    .trim()
    .max(PLAN_LIMITS.text)
    .optional()
    .describe('What you learned of the repository and every worker needs: places, conventions, traps'),
  assumptions: z
    .array(line(PLAN_LIMITS.command))
    .max(PLAN_LIMITS.list)
    .optional()
    .describe('What you decided where the brief leaves it open'),
  questions: z
    .array(line(PLAN_LIMITS.command))
    .max(PLAN_LIMITS.questions)
    .optional()
    .describe('Only what a person must decide before the work begins: the job waits for the answers'),
});
export type Plan = z.infer<typeof planSchema>;

const withoutId = (shape: object): readonly string[] => Object.keys(shape).filter((field) => field !== 'id');

/** Fields that a planner writes, by the part of the plan. */
export const PLAN_FIELDS = {
  plan: Object.keys(planSchema.shape),
  phase: withoutId(planPhase.shape),
  feature: withoutId(planFeature.shape),
} as const;
export type PlanPhase = Plan['phases'][number];
export type PlanFeature = PlanPhase['features'][number];

export const verdictSchema = z.object({
  verdict: z.enum(['APPROVED', 'REJECTED', 'ESCALATE']),
  reason: line(PLAN_LIMITS.text),
  /** Required content of a rejection: what to do differently. */
  feedback: z.string().trim().max(PLAN_LIMITS.text).default(''),
  reopen: z
    .array(line(PLAN_LIMITS.name))
    .max(PLAN_LIMITS.list)
    .default([])
    .describe('Names of features to do again; if empty, a fix feature is added'),
});
export type Verdict = z.infer<typeof verdictSchema>;

export const reportSchema = z.object({
  outcome: z
    .enum(['done', 'stuck', 'blocked'])
    .describe('done: works and is tested. stuck: you need an answer. blocked: something outside your reach is missing'),
  summary: line(PLAN_LIMITS.text).describe(
    'What was done and why, and what you decided, in all attempts at the feature, accepted or not. It becomes the commit message',
  ),
  question: z.string().trim().max(PLAN_LIMITS.text).default('').describe('For the steward, when stuck or blocked'),
  no_change_reason: z
    .string()
    .trim()
    .max(PLAN_LIMITS.text)
    .optional()
    .describe('Only when done without a change to any file: why none was needed'),
});
export type Report = z.infer<typeof reportSchema>;
