/**
 * Messages between the extension host and the page. Host → page: whole snapshots with a revision, of which only the newest counts, and small live
 * lines. Page → host: requests, validated here. The page never patches state.
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
  /** A message to the project could not be sent and is still in the composer. */
  | { readonly kind: 'unsent'; readonly project: string };

/** Actions on a project. The host asks for confirmation if needed; the files open beside the page. */
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

/** Actions on a task: each is a command or a request of that name. `definition` opens its YAML, `report` its report. */
export const TASK_ACTS = ['start', 'pause', 'resume', 'cancel', 'retry', 'remove', 'definition', 'report'] as const;
export type TaskAct = (typeof TASK_ACTS)[number];

const id = z.int().check(z.positive());
const jobId = z.string().check(z.minLength(1), z.maxLength(64));
/** Includes the job, because another folder, which the page may not show yet, can have a question of the same number. */
const question = { approvalId: id, jobId: z.nullable(jobId) };
const text = z.string().check(z.maxLength(MAX_TEXT));
const project = z.string().check(z.minLength(1), z.maxLength(64));
/** The agent's existence is checked when it is chosen. */
const executor = z.string().check(z.minLength(1), z.maxLength(32));
const taskId = z.string().check(z.minLength(1), z.maxLength(64));

/** All requests of a page. No answer is among them: `approve` opens a native prompt, and the answer given there counts. */
export const fromPage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  /** The page went to the position that the host requested. */
  z.object({ kind: z.literal('led') }),
  /** The page's new selection: a snapshot contains the parts that `PanelLook` names only if they are selected. */
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
  /** The project of the new brief. Defaults to the default project, unless another is picked. */
  z.object({ kind: z.literal('newBrief'), project: z.optional(project) }),
  z.object({ kind: z.literal('runBacklog') }),
  z.object({ kind: z.literal('openBoard') }),
  z.object({ kind: z.literal('runDemo') }),
  z.object({ kind: z.literal('quickFix'), quickFix: z.enum(QUICK_FIXES) }),
  z.object({ kind: z.literal('review'), ...question }),
  z.object({ kind: z.literal('approve'), ...question, choice: z.nullable(text) }),
  z.object({ kind: z.literal('reject'), ...question }),
  z.object({ kind: z.literal('job'), jobId, act: z.enum(['pause', 'resume', 'cancel', 'select', 'diff', 'built']) }),
  /** Retries the waiting call now. */
  z.object({ kind: z.literal('tryNow'), of: z.enum(WAITERS), id: z.string().check(z.minLength(1), z.maxLength(64)) }),
  z.object({ kind: z.literal('retryFeature'), featureId: id }),
  z.object({ kind: z.literal('reorderFeature'), featureId: id, position: z.int().check(z.nonnegative()) }),
  /** Sets the executors of a waiting feature. Null for the job's choice. If there are several, each attempts it. */
  z.object({
    kind: z.literal('chooseExecutors'),
    featureId: id,
    executors: z.nullable(z.array(executor).check(z.minLength(1), z.maxLength(MAX_CANDIDATES))),
  }),
  /** The editor's list of agents, which searches for them first. */
  z.object({ kind: z.literal('chooseAgent'), featureId: id }),
  z.object({ kind: z.literal('openTranscript'), sessionId: id }),
  z.object({ kind: z.literal('openArtifact'), name: z.string().check(z.regex(/^[0-9a-z.-]{8,128}$/)) }),
  z.object({ kind: z.literal('showDiff'), featureId: id }),
  z.object({ kind: z.literal('addNote'), featureId: z.nullable(id) }),
  z.object({ kind: z.literal('setDailyLimit') }),
  /** The editor's list of approval rules and offers. */
  z.object({ kind: z.literal('rules') }),
  z.object({ kind: z.literal('setBudget'), jobId }),
  z.object({ kind: z.literal('setLanes'), jobId }),
  /** The editor asks for the command, because the page names none. */
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
  /** Opens the whole input or result of a step beside the page. */
  z.object({ kind: z.literal('openStep'), taskId, stepId: id, part: z.enum(['params', 'result']) }),
  z.object({ kind: z.literal('sendMessage'), project, text: text.check(z.minLength(1)) }),
  z.object({ kind: z.literal('stopTurn'), project }),
  /** The reader has seen the project's messages up to this one. */
  z.object({ kind: z.literal('markRead'), project, upTo: id }),
]);

export type FromPage = z.infer<typeof fromPage>;
