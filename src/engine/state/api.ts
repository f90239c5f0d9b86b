/**
 * Declares the requests of a surface (terminal, editor, another process) to the owner, and their results. One contract for the
 * in-process call and for the socket; these schemas validate the input on the socket. No agent has access to any of this.
 */
import { z } from 'zod';
import type { CleanUp } from '../../core/job/cloneCleanUp.ts';
import { stoppedByYou } from '../../core/job/jobStops.ts';
import { executorName, executorsSchema } from '../../shared/agent/executorSchemas.ts';
import { MAX_CANDIDATES } from '../../shared/agent/executors.ts';
import type { PlainFailure } from '../../shared/errors.ts';
import { planSchema } from '../../shared/job/plan.ts';
import {
  COMMIT_AUTHORS,
  CONVERSATION_MODES,
  FEATURE_STATUSES,
  GATES,
  MAX_LANES,
  MERGE_MODES,
} from '../../shared/job/rows.ts';
import type { LiveLine } from '../../shared/live.ts';
import { EFFORT_ROLES, EFFORTS } from '../../shared/model/effort.ts';
import { PROVIDERS } from '../../shared/model/models.ts';
import { DEFAULT_PROJECT, MESSAGE_READERS } from '../../shared/project/projects.ts';
import { LADDER_ROLES, MAX_RUNGS, ROUTINGS } from '../../shared/routing.ts';
import { stepSchema, taskSchema } from '../../shared/task/tasks.ts';
import { WAITERS } from '../../shared/waiting.ts';
import type { Event } from '../../shared/workspace/events.ts';
import type { State } from '../../shared/workspace/state.ts';

/** A brief's ceiling, bytes of UTF-8. */
export const MAX_BRIEF_BYTES = 256 * 1024;

const microUsd = z.number().int().nonnegative();
const count = z.number().int().positive();
const laneCount = z.number().int().min(1).max(MAX_LANES);
const jobId = z.string().min(1).max(64);
const text = z.string().max(64 * 1024);
/** The source of an answer: a person, a person's `--yes` flag, or the demo that plays the steward. */
const by = z.enum(['steward', 'yes_flag', 'demo']).default('steward');
/** The author of a request about a project: a person, or the main agent on a person's behalf. */
const asker = z.enum(['steward', 'main']).default('steward');
/** The author of a stop: a person, or the project's conversation. */
const mover = z.enum(['steward', 'agent']).default('steward');
/** The full check of a name is made when a project is created; here a name only identifies a project. */
const project = z.string().min(1).max(64);
const nullableCount = count.nullable();
const taskId = z.string().min(1).max(64);
/** A person, a program at the API, the main agent or who speaks through it, or a project's own conversation. */
const maker = z.enum(['steward', 'api', 'main', 'agent']).default('steward');
/** The source of a task: a definition, or the name of a template with its parameters. Exactly one. */
const made = {
  definition: taskSchema.optional(),
  template: z.string().min(1).max(64).optional(),
  parameters: z.record(z.string().max(64), z.union([z.string().max(16_384), z.number(), z.boolean()])).optional(),
};

/** The parts of a definition that a caller may give; what is absent keeps its default, or what it was. */
const definition = {
  model: z.string().min(1).max(200).nullable().optional(),
  provider: z.enum(PROVIDERS).optional(),
  scenario: z.string().nullable().optional(),
  executors: executorsSchema.nullable().optional(),
  workdir: z.string().max(4096).nullable().optional(),
  limits: z
    .object({
      dayMicroUsd: microUsd.nullable(),
      totalMicroUsd: microUsd.nullable(),
      tokens: nullableCount,
      toolCalls: nullableCount,
    })
    .partial()
    .optional(),
  heartbeat: z
    .object({ minutes: z.number().int().min(1).max(10_080), prompt: z.string().min(1).max(4_096) })
    .nullable()
    .optional(),
  /** Name of the project that must be completed before its first turn. */
  after: z.string().min(1).max(64).nullable().optional(),
  idleMinutes: z.number().int().min(0).max(525_600).nullable().optional(),
};

/**
 * A query beside the requests: the number of the last event that the owner has committed. The log may contain a later line that
 * is about to become void.
 */
export const COMMITTED = 'committed';

/** A query beside the requests: the current work of the owner, an `AtWork`. */
export const AT_WORK = 'atWork';

export const REQUESTS = {
  submitBrief: z.object({
    brief: z.string().default(''),
    /** Instead of a brief: the job takes the features of the backlog and plans them. */
    backlog: z.boolean().optional(),
    project: project.default(DEFAULT_PROJECT),
    gates: z.array(z.enum(GATES)).optional(),
    mergeMode: z.enum(MERGE_MODES).optional(),
    provider: z.enum(PROVIDERS).optional(),
    /** Name of a built-in scenario or absolute path of a file. */
    scenario: z.string().nullable().optional(),
    /** Null to detect the commands. A list was typed by the user and counts as approved. */
    setup: z.array(z.string().min(1)).nullable().optional(),
    budgetMicroUsd: microUsd.nullable().optional(),
    /** Required with a provider that names no price. */
    unpricedLimits: z.object({ calls: count, tokens: count }).optional(),
    /** The agent of each role. Defaults to the built-in agent. */
    executors: executorsSchema.optional(),
    /** Models that differ from the default ones. */
    models: z
      .partialRecord(z.enum(['planner', 'worker', 'reviewer', 'summarizer']), z.string().min(1).max(200))
      .optional(),
    /** Whether the built-in agent's sessions start with a model of their role's ladder. */
    routing: z.enum(ROUTINGS).optional(),
    /** Ladders that differ from the default ones, each from cheap to strong. */
    ladders: z
      .partialRecord(z.enum(LADDER_ROLES), z.array(z.string().min(1).max(200)).min(1).max(MAX_RUNGS))
      .optional(),
    /** Defaults to the effort of each role's model. */
    effort: z.partialRecord(z.enum(EFFORT_ROLES), z.enum(EFFORTS)).optional(),
    allowedCommands: z.array(z.array(z.string())).optional(),
    batch: z.number().int().min(1).max(10).optional(),
    /** Features that are worked on at the same time. */
    lanes: laneCount.optional(),
    conversation: z.enum(CONVERSATION_MODES).optional(),
    reviewEachFeature: z.boolean().optional(),
    /** The author of the job's commits. Defaults to the user. */
    commitAuthor: z.enum(COMMIT_AUTHORS).optional(),
    /** Ceilings of one attempt that differ from the default ones. */
    attempt: z
      .object({ turns: count, tokens: count, seconds: count, microUsd: microUsd.min(1) })
      .partial()
      .optional(),
    /** Failed attempts of a feature, and passes through a phase, before it has failed for good. */
    maxRetries: z.number().int().min(1).max(10).optional(),
    maxPhaseAttempts: z.number().int().min(1).max(10).optional(),
    /** The job that is filed again with an addition to its brief. `brief` has the addition already. */
    amends: z.object({ jobId, addition: text }).optional(),
    /** Absent for a person. A budget from an agent is limited to the default budget. */
    by: z.literal('agent').optional(),
  }),
  /**
   * Continues after a pause or a stop. A question about the provider or a limit is dropped, because the call is simply retried.
   */
  resumeJob: z.object({
    jobId,
    budgetMicroUsd: microUsd.nullable().optional(),
    /** New agents of these roles, also for interrupted work. */
    executors: executorsSchema.optional(),
    lanes: laneCount.optional(),
    /** If false, a job that waits for a time keeps waiting. */
    wake: z.boolean().default(true),
    by: by.or(z.literal('agent')).default('steward'),
  }),
  /** The job stays paused if it is; a question about its budget is dropped when there is more of it: it is tried again. */
  setBudget: z.object({ jobId, budgetMicroUsd: microUsd.nullable(), by }),
  /** More lanes start at once; a lane above the new number ends after its attempt. The job stays paused if it is. */
  setLanes: z.object({ jobId, lanes: laneCount, by }),
  /** A command that the steward typed, and so granted. It runs before the next work, and in each fresh checkout. */
  addSetup: z.object({ jobId, command: z.string().trim().min(1).max(1_000), by }),
  pauseJob: z.object({ jobId, reason: text.default(stoppedByYou('paused')), by: mover }),
  cancelJob: z.object({ jobId, reason: text.default(stoppedByYou('cancelled')), by: mover }),
  /**
   * `choice` is one of the approval's choices, and required if the approval has choices. The steward's answer to a `stuck`
   * question is its feedback.
   */
  decide: z.object({
    approvalId: z.number().int(),
    decision: z.enum(['approved', 'rejected']),
    choice: z.string().nullable().default(null),
    feedback: text.nullable().default(null),
    /** Questions with the same outside cause that the steward saw with this one: they get the same answer. */
    also: z.array(z.number().int()).optional(),
    by,
  }),
  /** Creates the rule that was offered under this id. `text` is the offer as the person saw it: another one is refused. */
  createRule: z.object({ offer: z.string().min(1).max(200), text: z.string().max(2_000) }),
  revokeRule: z.object({ ruleId: z.number().int().positive() }),
  editPlan: z.object({ jobId, plan: planSchema }),
  setFeature: z.object({
    featureId: z.number().int().positive(),
    status: z.enum(FEATURE_STATUSES),
    reason: text.nullable().default(null),
  }),
  /** Null to follow the job again. With several executors, each makes an attempt and one result is picked. */
  chooseExecutors: z.object({
    featureId: z.number().int().positive(),
    executors: z.array(executorName).min(1).max(MAX_CANDIDATES).nullable(),
  }),
  /** Seed 003's `status <id> pending`: uses a retry. */
  retryFeature: z.object({ featureId: z.number().int().positive(), feedback: text.nullable().default(null) }),
  /** Takes the place of its phase's feature that is at `position`, which makes room; the lowest is picked first. */
  reorderFeature: z.object({ featureId: z.number().int().positive(), position: z.number().int().nonnegative() }),
  addNote: z.object({
    featureId: z.number().int().positive().nullable().default(null),
    category: z.string().min(1).max(120).nullable().default(null),
    content: z
      .string()
      .min(1)
      .max(16 * 1024),
    file: z.string().max(4096).nullable().default(null),
    line: z.number().int().positive().nullable().default(null),
    /** The noted line's text, to find it again when the code moves. */
    anchor: z.string().max(4096).nullable().default(null),
    /** The note that this one replaces. Its author stays the same if its words do. */
    supersedes: z.number().int().positive().nullable().default(null),
    by: asker,
  }),
  resolveNote: z.object({ noteId: z.number().int().positive() }),
  setLimits: z.object({
    callMicroUsd: microUsd.nullable().optional(),
    projectMicroUsd: microUsd.nullable().optional(),
    dayMicroUsd: microUsd.nullable().optional(),
    totalMicroUsd: microUsd.nullable().optional(),
  }),
  adjustCall: z.object({ callId: z.number().int().positive(), microUsd }),
  /** Finishes a job that is blocked at the merge gate or by a conflict in this way, or merges what an ended job had finished. */
  mergeJob: z.object({
    jobId,
    mode: z.enum(MERGE_MODES),
    /** The question that was shown; only this question is answered. Null if there was no question. */
    approvalId: z.number().int().positive().nullable().default(null),
  }),
  rollBack: z.object({ jobId }),
  selectJob: z.object({ jobId }),
  /** Ends the wait of a job, a project or a task, and of its jobs and tasks: everything is retried at once. */
  tryNow: z.object({
    of: z.enum(WAITERS),
    id: z.string().min(1).max(200),
    by: z.enum(['steward', 'main', 'api']).default('steward'),
  }),
  /** Removes clones of ended jobs, the oldest first, until all clones together are small enough. Null for the configured size. */
  cleanClones: z.object({ maxBytes: z.number().int().nonnegative().nullable().default(null) }),
  /** Imports an export into an empty workspace. The imported jobs are read-only. */
  importRecord: z.object({ path: z.string().min(1).max(4096) }),

  /**
   * Creates the folder, PROJECT.md and the thread. `body` is the whole text; without it, the text is created from the template
   * and the parts.
   */
  createProject: z.object({
    name: z.string(),
    goal: text.optional(),
    background: text.optional(),
    constraints: text.optional(),
    body: text.optional(),
    /** Name of a built-in template, or of one in the templates folder. */
    template: z.string().max(64).nullable().default(null),
    ...definition,
    by: asker,
  }),
  /** Changes what is given. Not open to the main agent: it holds the limits. */
  defineProject: z.object({ project, body: text.optional(), ...definition }),
  suspendProject: z.object({ project, reason: text.default(''), by: asker }),
  resumeProject: z.object({ project, by: asker }),
  completeProject: z.object({ project, reason: text.default(''), by: asker }),
  archiveProject: z.object({ project, by: asker }),
  /** A parked project is tried again. */
  unparkProject: z.object({ project }),
  /** Adopts a folder with a PROJECT.md that another installation made. Until then, the folder has no effect. */
  adoptProject: z.object({ name: z.string() }),
  /**
   * Sends a message to a project's conversation. The first message to `main` creates the main agent with the given provider and
   * model; a later one changes them.
   */
  sendMessage: z.object({
    project,
    text,
    from: asker,
    relayedFrom: count.nullable().default(null),
    provider: z.enum(PROVIDERS).optional(),
    scenario: z.string().nullable().optional(),
    model: z.string().min(1).max(200).nullable().optional(),
  }),
  /** Ends the turn of a project's conversation without waiting for its answer. No effect on a turn that has ended. */
  stopTurn: z.object({ project, by: asker }),
  /** Marks a project's messages up to this one as read by one reader. */
  markRead: z.object({ project, upTo: count, by: z.enum(MESSAGE_READERS).default('steward') }),

  /** Rejects an invalid form. Returns as problems what a start would reject, such as a reference to a missing step. */
  createTask: z.object({
    project: project.default(DEFAULT_PROJECT),
    ...made,
    start: z.boolean().default(false),
    by: maker,
  }),
  /** Replaces the definition of a task that was not started. */
  defineTask: z.object({ taskId, definition: taskSchema, by: maker }),
  /** Allowed for a running task too; then the steps must be valid at once. */
  addTaskSteps: z.object({ taskId, steps: z.array(stepSchema).min(1), by: maker }),
  /** INVALID_INPUT with all that is wrong with it. */
  startTask: z.object({ taskId, by: maker }),
  pauseTask: z.object({ taskId, reason: text.default(stoppedByYou('paused')), by: maker }),
  /** With a budget: not open to agents. */
  resumeTask: z.object({ taskId, budgetMicroUsd: microUsd.nullable().optional(), by: maker }),
  cancelTask: z.object({ taskId, reason: text.default(stoppedByYou('cancelled')), by: maker }),
  /** A failed task continues with the step that failed. */
  retryTask: z.object({ taskId, by: maker }),
  removeTask: z.object({ taskId, by: maker }),
  /** Saves a YAML file among the workspace's task templates. `replace` overwrites a template of this name. */
  saveTaskTemplate: z.object({ taskId, name: z.string().min(1).max(64), replace: z.boolean().default(false) }),
  setSchedule: z.object({
    /** Absent for a new schedule. */
    id: count.optional(),
    project: project.default(DEFAULT_PROJECT),
    name: z.string().min(1).max(120),
    cron: z.string().min(1).max(200),
    timeZone: z.string().min(1).max(64),
    ...made,
    enabled: z.boolean().default(true),
    keep: z.number().int().min(1).max(1_000).default(20),
  }),
  removeSchedule: z.object({ id: count }),
} as const;

export type RequestName = keyof typeof REQUESTS;
export type RequestInput<N extends RequestName> = z.input<(typeof REQUESTS)[N]>;

/** `problems`: what a start would refuse as things are, one sentence each. */
interface AddedSteps {
  readonly stepIds: readonly number[];
  readonly problems: readonly string[];
}

/** Answers of requests that have one. */
export interface RequestAnswers {
  submitBrief: { readonly jobId: string };
  retryFeature: { readonly status: 'pending' | 'failed'; readonly retryCount: number; readonly maxRetries: number };
  createRule: { readonly ruleId: number };
  addNote: { readonly noteId: number };
  rollBack: { readonly commit: string };
  cleanClones: CleanUp;
  importRecord: { readonly jobs: number; readonly tasks: number; readonly sessions: number };
  createProject: { readonly project: string };
  adoptProject: { readonly project: string };
  sendMessage: { readonly messageId: number };
  /** Whether a turn was running. */
  stopTurn: { readonly stopped: boolean };
  createTask: AddedSteps & { readonly taskId: string };
  defineTask: AddedSteps;
  addTaskSteps: AddedSteps;
  /** Absolute path of the file. */
  saveTaskTemplate: { readonly path: string };
  /** `nextAt`: ISO 8601 UTC. Null if there is no next run. */
  setSchedule: { readonly scheduleId: number; readonly nextAt: string | null };
}

export type RequestAnswer<N extends RequestName> = N extends keyof RequestAnswers ? RequestAnswers[N] : null;

/** A connection to an engine: the owner itself, or a client of one. */
export interface Engine {
  /** Rejects with an `AutonomousError`. */
  request<N extends RequestName>(name: N, input: RequestInput<N>): Promise<RequestAnswer<N>>;
  /** The fold of everything committed that has reached this connection. */
  readonly state: State;
  /** Called for every committed event, in order, after `state` has it; and for live lines. */
  follow(listener: EngineListener): () => void;
  /** Ends the connection; an owner stops its workers first, durably, within 5 s. */
  close(): Promise<void>;
}

export interface EngineListener {
  event?(event: Event): void;
  live?(line: LiveLine): void;
  /** A job's loop could not continue. The job is unchanged and can be resumed. */
  failed?(jobId: string, failure: PlainFailure): void;
  /**
   * Something that does not end anything and must be known: damaged history at the beginning of the following, files that
   * cannot be written later. One sentence.
   */
  problem?(text: string): void;
  /** The owner has ended (for a client), or was superseded (for an owner). */
  lost?(reason: string): void;
}
