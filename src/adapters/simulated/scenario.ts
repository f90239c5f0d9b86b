/**
 * Defines the schema of scenarios, the data for the simulated model. docs/scenario-format.md describes the format for
 * people; this zod schema is authoritative.
 */
import { z } from 'zod';
import { yamlDocument } from '../../core/text/yamlDocument.ts';
import { APPROVAL_KINDS, type ApprovalKind } from '../../shared/approval.ts';
import { failure, messageOf } from '../../shared/errors.ts';
import { planSchema, verdictSchema } from '../../shared/job/plan.ts';

const callSchema = z.strictObject({
  tool: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'a tool name has letters, digits, _ and -'),
  input: z.record(z.string(), z.json()).default({}),
  /** Fields of the input that are the text of a file, with its path from the scenario's folder. `readScenario` reads it. */
  files: z.record(z.string(), z.string().min(1)).optional(),
});

const turnSchema = z
  .strictObject({ text: z.string().default(''), calls: z.array(callSchema).max(50).default([]) })
  .refine((turn) => turn.text !== '' || turn.calls.length > 0, 'a turn needs text or calls');

const attemptSchema = z.strictObject({ turns: z.array(turnSchema).min(1).max(500) });

/** Turns with read calls, then the scenario's plan is submitted, unless `submit` is false. */
const planningSchema = z
  .strictObject({ turns: z.array(turnSchema).max(500).default([]), submit: z.boolean().default(true) })
  .refine((planning) => planning.turns.length > 0 || planning.submit, 'a planner that does not submit needs turns');

/** Turns with read calls, then the verdict; at least one of both is required. */
const reviewSchema = z
  .strictObject({ turns: z.array(turnSchema).max(500).default([]), verdict: verdictSchema.strict().optional() })
  .refine((review) => review.turns.length > 0 || review.verdict !== undefined, 'a review needs turns or a verdict');

const featureScriptSchema = z.strictObject({
  attempts: z.array(attemptSchema).min(1),
  /** What the worker does when the merge returns its work, by the number of the return. Defaults to the turns of the attempt. */
  returns: z.array(attemptSchema).min(1).optional(),
  reviews: z.array(reviewSchema).min(1).optional(),
});

const phaseScriptSchema = z.strictObject({
  reviews: z.array(reviewSchema).min(1),
  summaries: z.array(z.string().min(1)).min(1),
});

/** `when`: text in a message (case-insensitive) that triggers this reply. */
const replySchema = z.strictObject({
  when: z.string().min(1).optional(),
  turns: z.array(turnSchema).min(1).max(500),
});

const talkSchema = z.strictObject({ replies: z.array(replySchema).min(1).max(500) });

/** Answers to the model steps of a task, by their prompt. */
const taskSchema = z.strictObject({
  replies: z
    .array(z.strictObject({ when: z.string().min(1).optional(), text: z.string().min(1) }))
    .min(1)
    .max(500),
});

const answerSchema = z.strictObject({
  kind: z.enum(APPROVAL_KINDS),
  decision: z.enum(['approved', 'rejected']),
  choice: z.string().min(1).optional(),
  feedback: z.string().min(1).optional(),
});

const scenarioSchema = z.strictObject({
  version: z.literal(1),
  title: z.string().min(1).max(200),
  /** Delay before each reply, so that a person can watch. */
  delayMs: z.number().int().min(0).max(60_000).default(0),
  plan: planSchema,
  /** Planner sessions by attempt. */
  planning: z
    .array(planningSchema)
    .min(1)
    .default([{ turns: [], submit: true }]),
  features: z.record(z.string(), featureScriptSchema).default({}),
  phases: z.record(z.string(), phaseScriptSchema).default({}),
  /** Answers of projects to messages, by the project's name. */
  projects: z.record(z.string(), talkSchema).default({}),
  main: talkSchema.optional(),
  subagents: talkSchema.optional(),
  /** Answers to steps of tasks, and to summaries of tasks. */
  tasks: taskSchema.optional(),
  /** For features, phases and projects without a separate script. */
  otherwise: z
    .strictObject({
      feature: featureScriptSchema.optional(),
      phase: phaseScriptSchema.optional(),
      project: talkSchema.optional(),
    })
    .default({}),
  /** Answers of a demo's steward. */
  steward: z.array(answerSchema).default([]),
});

export type Scenario = z.output<typeof scenarioSchema>;
/** A scenario in its written form: defaults may be omitted. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type FeatureInput = z.input<typeof featureScriptSchema>;
export type Turn = z.output<typeof turnSchema>;
export type Call = z.output<typeof callSchema>;
export type FeatureScript = z.output<typeof featureScriptSchema>;
export type ScriptedReply = z.output<typeof replySchema>;
export type TalkScript = z.output<typeof talkSchema>;
export type Review = z.output<typeof reviewSchema>;
export type StewardAnswer = z.output<typeof answerSchema>;

/** Validates a scenario given as a value. Throws SCENARIO_INVALID with `source` and the position of the error. */
export function checkScenario(value: unknown, source: string): Scenario {
  const result = scenarioSchema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${formatPath(issue.path)}: ${issue.message}`);
  const more = faults.length > 3 ? ` (and ${faults.length - 3} more)` : '';
  throw failure('SCENARIO_INVALID', `${source}: ${faults.slice(0, 3).join('; ')}${more}`, {
    hint: 'docs/scenario-format.md describes the format.',
    details: { source, faults: faults.slice(0, 20) },
  });
}

/** The unchecked value of YAML or JSON. Throws SCENARIO_INVALID. */
export function scenarioValue(text: string, source: string): unknown {
  try {
    const { document, lines } = yamlDocument(text);
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${error.message} at line ${lines.linePos(error.pos[0]).line}`);
    return document.toJS();
  } catch (cause) {
    const reason = messageOf(cause);
    throw failure('SCENARIO_INVALID', `${source}: neither YAML nor JSON: ${reason}`, { details: { source }, cause });
  }
}

/** The commands that the plan verifies with and the workers run, each once, as lists of words. */
export function commandsOf({ plan, features, otherwise }: Scenario): readonly (readonly string[])[] {
  const verify = plan.phases.flatMap(({ verify_commands }) => verify_commands);
  const scripts = [...Object.values(features), otherwise.feature].filter((script) => script !== undefined);
  const played = scripts.flatMap(({ attempts, returns = [] }) => [...attempts, ...returns]);
  const calls = played.flatMap(({ turns }) => turns.flatMap((turn) => turn.calls));
  const run = calls.filter(({ tool }) => tool === 'bash').map(({ input }) => String(input['command']));
  return [...new Set([...verify, ...run])].map((command) => command.split(' '));
}

/**
 * The answer of a demo's steward to the `nth` question (from 1) of a kind: the nth answer of that kind, or the last one
 * if there are fewer; null if the scenario has none.
 */
export function stewardAnswer(scenario: Scenario, kind: ApprovalKind, nth: number): StewardAnswer | null {
  const answers = scenario.steward.filter((answer) => answer.kind === kind);
  return answers[nth - 1] ?? answers.at(-1) ?? null;
}

function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text === '' ? '' : '.'}${String(part)}`;
  }
  return text === '' ? 'the scenario' : text;
}
