/**
 * Records of an eval: which model, agent or setting passed which task of this repository, and at what cost. They are lines of JSON
 * below `.autonomous/eval`, which other parts may read.
 */
import { z } from 'zod';

const count = z.number().int().nonnegative();
const word = z.string().min(1).max(500);

/** `void`: the run states nothing about its variant, because the model, the machine or the engine failed. */
const OUTCOMES = ['passed', 'failed', 'void'] as const;

/**
 * The first attempts at the features of a run, which one model of one agent made. They are comparable with what routing reads from
 * the jobs of a workspace.
 */
const workerPartSchema = z.object({
  /** Category of the features, in the planner's word. Null if they differ. */
  category: z.string().nullable(),
  /** Features with a judged attempt. */
  features: z.number().int().positive(),
  /** Those of them whose first attempt passed in the job. */
  passed: count,
  /** Cost of these attempts. Calls whose answer was lost count at their upper bound. */
  microUsd: count,
});
export type WorkerPart = z.output<typeof workerPartSchema>;

/** One ended run: a line of `results.jsonl`. */
export const evalResultSchema = z.object({
  version: z.literal(1),
  /** ISO 8601 UTC. */
  at: z.string(),
  /** Version of Autonomous. */
  release: z.string(),
  /** The commit, or the name and the content of a task folder. */
  task: word,
  title: z.string(),
  category: z.string(),
  /** The name that the person gave to the settings. */
  variant: word,
  /** Identifies the settings and the checks: results with the same value can be compared and are not paid again. */
  settings: word,
  repetition: z.number().int().positive(),
  /** Executor and model of the worker. */
  executor: word,
  model: word,
  provider: word,
  outcome: z.enum(OUTCOMES),
  /** Whether the hidden tests passed on the result. */
  passed: z.boolean(),
  /** Why the run did not pass. Empty if it passed. */
  reason: z.string(),
  /** Calls whose answer was lost count at their upper bound. */
  microUsd: count,
  /** Calls without a price, which cost 0 here or what the agent reported. */
  unpricedCalls: count,
  /** Model calls of the whole job. */
  turns: count,
  /** Working time of the job. */
  seconds: z.number().nonnegative(),
  /** Null if it is not known, or does not show what `model` can do; also for lines of a version that did not record it. */
  worker: workerPartSchema.nullable().default(null),
});
export type EvalResult = z.output<typeof evalResultSchema>;

/** A line of `runs.jsonl`, by which an interrupted eval is resumed. */
export const evalNoteSchema = z.discriminatedUnion('type', [
  /** The hidden tests fail before the commit and pass with it. */
  z.object({ type: z.literal('validated'), version: z.literal(1), at: z.string(), task: word, check: word }),
  /** Written before the first call: the run may cost up to `reservedMicroUsd`. */
  z.object({
    type: z.literal('started'),
    version: z.literal(1),
    at: z.string(),
    run: word,
    folder: z.string().min(1).max(4_096),
    reservedMicroUsd: count,
  }),
  /** The folder of a started run is missing: its cost is unknown and counts at the reservation. */
  z.object({
    type: z.literal('lost'),
    version: z.literal(1),
    at: z.string(),
    run: word,
    folder: z.string(),
    microUsd: count,
  }),
]);
export type EvalNote = z.output<typeof evalNoteSchema>;
