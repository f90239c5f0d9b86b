/**
 * What crosses between the extension host and the page. Host → page: whole snapshots with a revision, of which only the
 * newest counts, and small live lines. Page → host: requests, validated here. The page never patches state.
 */
import { z } from 'zod/mini';
import { MAX_CANDIDATES } from '../agent/executors.ts';
import type { LiveLine } from '../live.ts';
import { MAX_MESSAGES, MAX_TEXT } from '../project/projectView.ts';
import { WAITERS } from '../waiting.ts';
import { QUICK_FIXES } from './panel.ts';
import type { SnapshotMessage } from './snapshot.ts';

export type ToPage =
  | SnapshotMessage
  | { readonly kind: 'live'; readonly lines: readonly LiveLine[] }
  /** Show this card's details, from a link or another view. */
  | { readonly kind: 'focus'; readonly featureId: number }
  /** Show the board on this job, from a command or another view. */
  | { readonly kind: 'job'; readonly jobId: string }
  /** Show this project's conversation, from a command or another view. */
  | { readonly kind: 'talk'; readonly project: string }
  /** Show the plan of this job: `BoardViews.plan(jobId)` of the host. */
  | { readonly kind: 'plan'; readonly jobId: string }
  /** Show the board itself, without changing its tab. */
  | { readonly kind: 'board' }
  /** Show this task with its steps, from a command, a notification or another view: `BoardViews.task(id)` of the host. */
  | { readonly kind: 'task'; readonly taskId: string }
  /** What was to be sent to it was not: it is still in the composer. */
  | { readonly kind: 'unsent'; readonly project: string };

/** What can be asked of a project. The host asks back where that is wise; the files open beside the page. */
export const PROJECT_ACTS = [
  'suspend',
  'resume',
  'complete',
  'archive',
  'unpark',
  'message',
  'definition',
  'memory',
  'skills',
] as const;
export type ProjectAct = (typeof PROJECT_ACTS)[number];

/** What can be asked of a task: each is a command or a request of that name. `definition` opens its YAML, `report` its report. */
export const TASK_ACTS = ['start', 'pause', 'resume', 'cancel', 'retry', 'remove', 'definition', 'report'] as const;
export type TaskAct = (typeof TASK_ACTS)[number];

const id = z.int().check(z.positive());
const jobId = z.string().check(z.minLength(1), z.maxLength(64));
/** With its job: another folder, which the page may not show yet, has a question of the same number. */
const question = { approvalId: id, jobId: z.nullable(jobId) };
const text = z.string().check(z.maxLength(MAX_TEXT));
const project = z.string().check(z.minLength(1), z.maxLength(64));
/** Whether there is such an agent is checked where it is chosen. */
const executor = z.string().check(z.minLength(1), z.maxLength(32));
const taskId = z.string().check(z.minLength(1), z.maxLength(64));

/** Everything that a page may ask for. No answer is among it: `approve` opens a native prompt, and what is said there counts. */
export const fromPage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  /** The page went where the host led it. */
  z.object({ kind: z.literal('led') }),
  /** What the page looks at from now on: what `PanelLook` names comes with a snapshot only then. */
  z.object({
    kind: z.literal('look'),
    featureId: z.nullable(id),
    costs: z.boolean(),
    conversation: z.nullable(project),
    messages: z.int().check(z.nonnegative(), z.maximum(MAX_MESSAGES)),
    plan: z.nullable(jobId),
    task: z.nullable(taskId),
    step: z.nullable(id),
  }),
  /** In this project; absent: in the default one, unless another is picked. */
  z.object({ kind: z.literal('newBrief'), project: z.optional(project) }),
  z.object({ kind: z.literal('runBacklog') }),
  z.object({ kind: z.literal('openBoard') }),
  z.object({ kind: z.literal('runDemo') }),
  z.object({ kind: z.literal('quickFix'), quickFix: z.enum(QUICK_FIXES) }),
  z.object({ kind: z.literal('review'), ...question }),
  z.object({ kind: z.literal('approve'), ...question, choice: z.nullable(text) }),
  z.object({ kind: z.literal('reject'), ...question }),
  z.object({ kind: z.literal('job'), jobId, act: z.enum(['pause', 'resume', 'cancel', 'select', 'diff', 'built']) }),
  /** What it waits for is tried at once. */
  z.object({ kind: z.literal('tryNow'), of: z.enum(WAITERS), id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  z.object({ kind: z.literal('retryFeature'), featureId: id }),
  z.object({ kind: z.literal('reorderFeature'), featureId: id, position: z.int().check(z.nonnegative()) }),
  /** Who works on a feature that waits; null: as its job says. Several try it side by side. */
  z.object({
    kind: z.literal('chooseExecutors'),
    featureId: id,
    executors: z.nullable(z.array(executor).check(z.minLength(1), z.maxLength(MAX_CANDIDATES))),
  }),
  /** The editor's own list of agents, which looks for them first. */
  z.object({ kind: z.literal('chooseAgent'), featureId: id }),
  z.object({ kind: z.literal('openTranscript'), sessionId: id }),
  z.object({ kind: z.literal('openArtifact'), name: z.string().check(z.regex(/^[0-9a-z.-]{8,128}$/)) }),
  z.object({ kind: z.literal('showDiff'), featureId: id }),
  z.object({ kind: z.literal('addNote'), featureId: z.nullable(id) }),
  z.object({ kind: z.literal('setDailyLimit') }),
  z.object({ kind: z.literal('setBudget'), jobId }),
  /** The editor asks for the command: the page names none. */
  z.object({ kind: z.literal('addSetup'), jobId }),
  /** Shows the plan in the wide page. */
  z.object({ kind: z.literal('openPlan'), jobId }),
  /** Opens the plan as YAML, or beside an earlier version. */
  z.object({ kind: z.literal('plan'), jobId, act: z.enum(['edit', 'compare']) }),
  z.object({ kind: z.literal('newProject') }),
  z.object({ kind: z.literal('project'), project, act: z.enum(PROJECT_ACTS) }),
  z.object({ kind: z.literal('openConversation'), project }),
  z.object({ kind: z.literal('newTask') }),
  z.object({ kind: z.literal('task'), taskId, act: z.enum(TASK_ACTS) }),
  /** Shows it with its steps in the wide page. */
  z.object({ kind: z.literal('openTask'), taskId }),
  /** The whole of what a step is given or gave, beside the page. */
  z.object({ kind: z.literal('openStep'), taskId, stepId: id, part: z.enum(['params', 'result']) }),
  z.object({ kind: z.literal('sendMessage'), project, text: text.check(z.minLength(1)) }),
  z.object({ kind: z.literal('stopTurn'), project }),
  /** Its reader saw what the project said, up to this message. */
  z.object({ kind: z.literal('markRead'), project, upTo: id }),
]);

export type FromPage = z.infer<typeof fromPage>;
