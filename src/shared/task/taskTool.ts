/**
 * The tool `long_running_task`: one tool with an action, as in seed 004, for the main agent, external agents and a project's conversation. It starts
 * and stops work; it answers no question, raises no limit and removes nothing.
 */
import { z } from 'zod';
import { stepSchema, TASK_LIMITS, taskSchema } from './tasks.ts';

export const TASK_TOOL = 'long_running_task';

export const TASK_TOOL_ACTIONS = [
  'create',
  'add_steps',
  'start',
  'pause',
  'resume',
  'cancel',
  'retry',
  'get_progress',
  'get_report',
] as const;
export type TaskToolAction = (typeof TASK_TOOL_ACTIONS)[number];

export const TASK_TOOL_DESCRIPTION = `A script of steps that runs for minutes or hours by itself: create it, add_steps, start, then get_progress or get_report.
Steps run one after the other; \`needs: [names]\` replaces that ([] = at once, side by side). A string of params may hold the result of an earlier step: {{step_1_result}} or {{Step name}}, with a path into JSON: {{Step name.items[0].title}}.
Actions of a step and their params: llm_generate {prompt, systemPrompt?, maxTokens?, temperature?}; wait {minutes} or {until: ISO time}; conditional {condition, ifTrue, ifFalse: names of later steps}, the condition e.g. "{{Count}} > 3"; aggregate {keys: names of steps, operation: concat | merge | list}; notify {title, message, type}; run_brief {brief}: a change of the repository as a step; command {command}: in a sandbox; http_get {url}: hosts that the steward listed; approval {question}: asks the steward.
isCheckpoint: true has the results so far summed up after the step. onError: abort, retry (maxRetries) or continue. A task that FAILED: retry resumes it at the step that failed; what is completed stays. It does not wait for you; what it has to say goes to the steward, as a message of its project.`;

const step = stepSchema.extend({
  params: z.record(z.string(), z.unknown()).optional().describe('What the action needs'),
  output: z.record(z.string(), z.unknown()).optional().describe('JSON Schema that its result must meet'),
});
const { shape } = taskSchema;

const fields = {
  action: z.enum(TASK_TOOL_ACTIONS),
  taskId: z.string().min(1).max(64).optional().describe('For all actions except create; get_progress without it lists'),
  name: shape.name.optional().describe('create: what it is called'),
  description: shape.description.unwrap().optional(),
  objective: shape.objective.unwrap().optional().describe('What must be there in the end'),
  estimatedDurationMinutes: shape.estimatedDurationMinutes,
  completionBehavior: shape.completionBehavior.unwrap().optional().describe('Default: NOTIFY_USER'),
  notifyOnProgress: z.boolean().optional(),
  progressIntervalMinutes: shape.progressIntervalMinutes.unwrap().optional(),
  steps: z.array(step).min(1).max(TASK_LIMITS.steps).optional().describe('add_steps, or create'),
  reason: z.string().max(4_096).optional().describe('pause, cancel: why'),
};

/** Input of the tool in a project's conversation. */
export const TASK_TOOL_INPUT = z.strictObject(fields);

/** Input of the tool for an agent that acts for the person: any project. */
export const MAIN_TASK_TOOL_INPUT = z.strictObject({
  ...fields,
  project: z.string().min(1).max(64).optional().describe('create, get_progress: default: the default project'),
});

/** Actions that change nothing, and need no approval. */
export const TASK_TOOL_LOOKS: readonly TaskToolAction[] = ['get_progress', 'get_report'];

export type TaskToolInput = z.output<typeof MAIN_TASK_TOOL_INPUT>;

type Argument = Exclude<keyof TaskToolInput, 'action'>;

/** Required and optional arguments of each action. All others are refused, so that no argument is silently dropped. */
export const TASK_TOOL_ARGUMENTS: Readonly<
  Record<TaskToolAction, { readonly needs: readonly Argument[]; readonly takes: readonly Argument[] }>
> = {
  create: {
    needs: ['name'],
    takes: [
      'project',
      'description',
      'objective',
      'estimatedDurationMinutes',
      'completionBehavior',
      'notifyOnProgress',
      'progressIntervalMinutes',
      'steps',
    ],
  },
  add_steps: { needs: ['taskId', 'steps'], takes: [] },
  start: { needs: ['taskId'], takes: [] },
  pause: { needs: ['taskId'], takes: ['reason'] },
  resume: { needs: ['taskId'], takes: [] },
  cancel: { needs: ['taskId'], takes: ['reason'] },
  retry: { needs: ['taskId'], takes: [] },
  get_progress: { needs: [], takes: ['taskId', 'project'] },
  get_report: { needs: ['taskId'], takes: [] },
};
