/**
 * Tools of the main agent, and of every external agent that acts for a person: the same list for the main agent's sessions, the MCP server and the
 * editor's language model tools. No tool approves, merges, defines a project or sets a limit. `engine/main/mainTools.ts` implements the calls.
 */
import { z } from 'zod';
import { PROJECT_STATUSES } from '../project/projects.ts';
import { MAIN_TASK_TOOL_INPUT, TASK_TOOL, TASK_TOOL_DESCRIPTION, TASK_TOOL_LOOKS } from '../task/taskTool.ts';

interface MainToolSpec {
  readonly title: string;
  /** Text for a model. */
  readonly description: string;
  /** Strict: an argument that is not offered is refused, not dropped. */
  readonly input: z.ZodObject;
  /** Whether a call changes anything. */
  readonly changes: boolean;
  /** Refused to everyone but the main agent. */
  readonly mainOnly?: true;
}

const project = z.string().min(1).max(64).describe('Name of the project, as list_projects gives it');
/** The parameter of tools about one project, with its name from seed 002. */
const name = project;
const words = z.string().max(64 * 1024);
const model = z.string().min(1).max(200);
const usd = z.number().positive().max(1_000_000);
const id = z.int().min(1);
const count = (most: number) => z.int().min(1).max(most);

export const MAIN_TOOLS = {
  create_project: {
    title: 'Create a project',
    description:
      'Make a long-lived project: a task space with its own conversation, memory and jobs. For work that takes days; a single change is a brief.',
    input: z.strictObject({
      name: z.string().min(1).max(64).describe('a-z, 0-9 and hyphens'),
      goal: words.min(1).describe('What it is for and when it is done'),
      background: words.optional(),
      constraints: words.optional(),
      model: model.optional().describe('Model of its conversation and jobs; defaults to the default models'),
      day_usd: usd.optional().describe('Limit of its cost per day'),
      total_usd: usd.optional().describe('Limit of its total cost'),
      heartbeat: z
        .strictObject({ minutes: z.int().min(60).max(10_080), prompt: z.string().min(1).max(4_096) })
        .optional()
        .describe('Interval and prompt of its regular checks; needs day_usd'),
      template: z
        .string()
        .max(64)
        .optional()
        .describe('Name of a template: migration, test-coverage, dependency-upgrades, docs'),
      after: project.optional().describe('Project that must be completed before its first turn'),
      workdir: z
        .string()
        .max(4096)
        .optional()
        .describe('Absolute path of another repository; the steward is asked to trust it'),
    }),
    changes: true,
  },
  list_projects: {
    title: 'List the projects',
    description: 'All projects with status, what each does now, cost, unread messages and open questions.',
    input: z.strictObject({
      status: z
        .enum(PROJECT_STATUSES)
        .optional()
        .describe('Only projects with this status; by default all but archived ones'),
    }),
    changes: false,
  },
  suspend_project: {
    title: 'Suspend a project',
    description: 'Stop a project and pause its jobs. Nothing is lost; resume_project continues.',
    input: z.strictObject({ name, reason: words.optional() }),
    changes: true,
  },
  resume_project: {
    title: 'Resume a project',
    description: 'Make a suspended project active again; its jobs continue.',
    input: z.strictObject({ name }),
    changes: true,
  },
  complete_project: {
    title: 'Complete a project',
    description:
      'Its goal is reached. Refused while a job of it is not over, and in the middle of a turn of its conversation: then call it again when that turn has ended.',
    input: z.strictObject({ name, reason: words.optional().describe('The outcome') }),
    changes: true,
  },
  archive_project: {
    title: 'Archive a project',
    description: 'Put a completed project out of the way. It stays readable and takes nothing more.',
    input: z.strictObject({ name }),
    changes: true,
  },
  message_project: {
    title: 'Write to a project',
    description:
      'Say something to a project; it reads it in its conversation and answers later, see read_messages. With `relay` a message of another project is passed on word for word, with its origin.',
    input: z.strictObject({
      project,
      text: words.optional().describe('In your own words; may be left out with relay'),
      relay: id.optional().describe('Id of the message to pass on'),
    }),
    changes: true,
  },
  read_messages: {
    title: 'Read what a project said',
    description: 'Unread messages of a project, oldest first, which are read then; without unread ones the last few.',
    input: z.strictObject({ project, last: count(50).optional().describe('This many of the last ones, read or not') }),
    changes: true,
  },
  submit_brief: {
    title: 'File a brief',
    description:
      'Have a change made: it is planned, carried out in an isolated clone, verified and reviewed. The steward is asked at the plan and before the merge; that cannot be left out.',
    input: z.strictObject({
      brief: z
        .string()
        .min(1)
        .max(256 * 1024)
        .describe('The request, in full: the job does not see this conversation'),
      project: project.optional().describe('Default: the default project'),
      at_most_usd: usd.optional().describe('Budget of the job, if less than the usual one is enough'),
      model: model.optional().describe("Model of its sessions; defaults to the project's"),
    }),
    changes: true,
  },
  list_jobs: {
    title: 'List the jobs',
    description: 'Jobs with status, features done and cost, newest first.',
    input: z.strictObject({
      project: project.optional(),
      open: z.boolean().optional().describe('Only those not over'),
    }),
    changes: false,
  },
  job_status: {
    title: 'How a job stands',
    description: 'One job: its phases and features, what failed and why, its questions, cost and result.',
    input: z.strictObject({ job: z.string().min(1).max(64).describe('Id of the job, as list_jobs gives it') }),
    changes: false,
  },
  search_conversation: {
    title: 'Search a conversation',
    description:
      'Messages to and from a project, or yours with the steward if no project is named, that hold all words of the query, newest first.',
    input: z.strictObject({ query: z.string().trim().min(1).max(400), project: project.optional() }),
    changes: false,
    mainOnly: true,
  },
  list_questions: {
    title: 'List what waits for the steward',
    description:
      'Questions that only a person can answer, on the board or with `autonomous approve`. Report them to the person; you cannot answer them.',
    input: z.strictObject({ project: project.optional() }),
    changes: false,
  },
  [TASK_TOOL]: {
    title: 'Run a long task',
    description: TASK_TOOL_DESCRIPTION,
    input: MAIN_TASK_TOOL_INPUT,
    changes: true,
  },
  list_notes: {
    title: 'List the notes',
    description: 'Facts kept for the sessions that do the work.',
    input: z.strictObject({ feature: id.optional(), category: z.string().min(1).max(120).optional() }),
    changes: false,
  },
  add_note: {
    title: 'Add a note',
    description: 'Keep a fact for the sessions that do the work: of a feature, of a category, or for all.',
    input: z.strictObject({
      content: z
        .string()
        .min(1)
        .max(16 * 1024),
      feature: id.optional(),
      category: z.string().min(1).max(120).optional(),
    }),
    changes: true,
  },
  read_project_memory: {
    title: "Read a project's memory",
    description: 'Files of a project’s memory: without a path their list, with a path the content of the file.',
    input: z.strictObject({ project, path: z.string().min(1).max(500).optional().describe('e.g. facts/api.md') }),
    changes: false,
    mainOnly: true,
  },
} as const satisfies Readonly<Record<string, MainToolSpec>>;

/** Whether this call may change anything. Returns true for an unknown tool. */
export function toolChanges(name: string, input: object): boolean {
  if (name === TASK_TOOL && 'action' in input) return !TASK_TOOL_LOOKS.some((action) => action === input.action);
  const known: Readonly<Record<string, MainToolSpec>> = MAIN_TOOLS;
  return !Object.hasOwn(known, name) || known[name]?.changes !== false;
}

export type MainToolName = keyof typeof MAIN_TOOLS;
export const MAIN_TOOL_NAMES = Object.keys(MAIN_TOOLS) as readonly MainToolName[];
export type MainToolInput<N extends MainToolName> = z.output<(typeof MAIN_TOOLS)[N]['input']>;
