/** Events of projects and of the messages to and from them. */

import { failure } from '../../shared/errors.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import {
  DEFAULT_PROJECT,
  NO_PROJECT_LIMITS,
  type ProjectDefinition,
  type ProjectLimits,
  type ProjectRow,
} from '../../shared/project/projects.ts';
import type { EventOf } from '../../shared/workspace/events.ts';
import type { Change, State } from '../../shared/workspace/state.ts';
import { isAbout } from '../approval/about.ts';
import { newApproval, voidProjectQuestions } from '../approval/reduceApprovals.ts';
import { voidRaisedLimits } from '../job/reduce/answers.ts';
import { moveJob } from '../job/reduce/jobs.ts';
import { isRaised } from '../money/limitWords.ts';
import { endedSession } from '../state/endSession.ts';
import { isFinal, JOB, PROJECT, type ProjectTrigger, step } from '../state/machines.ts';
import { newMessage, readBy } from '../state/messages.ts';
import type { Reducer } from '../state/reducer.ts';
import { need, needNew, projectJobs } from '../state/rows.ts';
import { awaiting, awaits, isAwaiting } from './projectAfter.ts';
import { isTrustHold, untrusted } from './projectTrust.ts';

/** Names this cause of the pause of a job or a task, which ends with it. */
export const SUSPENDED_WITH_PROJECT = 'the project is suspended';

const put = (project: ProjectRow): Change => ({ table: 'projects', put: project });

/** Definition of a project that only has a name, like the default one. */
export function plainDefinition(model: string | null = null, workdir: string | null = null): ProjectDefinition {
  return {
    model,
    provider: 'anthropic',
    scenario: null,
    executors: null,
    workdir,
    limits: NO_PROJECT_LIMITS,
    heartbeat: null,
    after: null,
    idleMinutes: null,
    body: '',
  };
}

/** Only the fields of PROJECT.md. */
export function definitionOf(row: ProjectRow): ProjectDefinition {
  const { model, provider, scenario, executors, workdir, limits, heartbeat, after, idleMinutes, body } = row;
  return { model, provider, scenario, executors, workdir, limits, heartbeat, after, idleMinutes, body };
}

function newProject(state: State, event: EventOf<'project_created'>): ProjectRow {
  const { id, model, workdir, definition } = event.project;
  // Older versions wrote fewer fields.
  const row = {
    ...plainDefinition(model, workdir),
    ...definition,
    id,
    status: 'active',
    trusted_workdir: null,
  } as const;
  return {
    ...row,
    reason: null,
    parked: untrusted(row) ?? awaits(state, row),
    wait: null,
    ended_turn: null,
    created_at: event.at,
    suspended_at: null,
    completed_at: null,
    archived_at: null,
  };
}

function move(project: ProjectRow, trigger: ProjectTrigger, patch: Partial<ProjectRow>): ProjectRow {
  const status = step(`project ${project.id}`, PROJECT, project.status, trigger);
  return { ...project, reason: null, parked: untrusted({ ...project, status }), wait: null, ...patch, status };
}

function resumed(state: State, project: ProjectRow): ProjectRow {
  const active = move(project, 'resume', {});
  return { ...active, parked: active.parked ?? awaits(state, active) };
}

const liveJobs = (state: State, projectId: string): JobRow[] =>
  projectJobs(state, projectId).filter((job) => !isFinal(JOB, job.status));

/** A merge is not stopped half way. */
function needStoppable(state: State, id: string): ProjectRow {
  const project = need(state, 'projects', id);
  const merging = liveJobs(state, id).find((job) => job.merging);
  if (merging === undefined) return project;
  throw failure('ILLEGAL_TRANSITION', `job ${merging.id} is being merged`, { hint: 'Try again when it is done.' });
}

function pausedWith(state: State, projectId: string): Change[] {
  return liveJobs(state, projectId)
    .filter((job) => job.status !== 'paused')
    .map((job) => ({ table: 'jobs', put: moveJob(job, 'pause', { reason: SUSPENDED_WITH_PROJECT }) }));
}

function resumedWith(state: State, projectId: string): Change[] {
  return liveJobs(state, projectId)
    .filter((job) => job.status === 'paused' && job.reason === SUSPENDED_WITH_PROJECT)
    .map((job) => ({ table: 'jobs', put: moveJob(job, 'resume') }));
}

/** Wakes calls that wait for the next day, if the daily limit was raised. A call with another cause keeps waiting. */
function wokenByMore(state: State, before: ProjectRow, limits: ProjectLimits): Change[] {
  if (!isRaised(before.limits.dayMicroUsd, limits.dayMicroUsd)) return [];
  return projectJobs(state, before.id)
    .filter((job) => job.status === 'waiting')
    .map((job) => ({ table: 'jobs', put: moveJob(job, 'wake') }));
}

/** Ends the project's conversation, which stays readable. The session of a task's step continues. */
function endedConversations(state: State, projectId: string, at: string): Change[] {
  return [...state.sessions.values()]
    .filter(
      (row) => row.project_id === projectId && row.job_id === null && row.task_id === null && row.status === 'running',
    )
    .map((row) => endedSession(row, { id: row.id, status: 'completed', error_message: null, turns: row.turns }, at));
}

function needWritable(state: State, projectId: string): ProjectRow {
  const project = need(state, 'projects', projectId);
  if (project.status === 'active' || project.status === 'suspended') return project;
  throw failure('ILLEGAL_TRANSITION', `project ${projectId} is ${project.status}: nothing reaches it any more`);
}

export const projectReducers = {
  // Every version that finds no default project creates it.
  project_created: (state, event) => (state.projects.has(event.project.id) ? [] : [put(newProject(state, event))]),

  project_defined: (state, event) => {
    const before = needWritable(state, event.project_id);
    const project = { ...before, ...event.definition };
    const isMoot = isTrustHold(before.parked) || isAwaiting(before.parked);
    const parked = untrusted(project) ?? (isMoot || before.parked === null ? awaits(state, project) : before.parked);
    const isAskedElse = before.workdir !== project.workdir;
    return [
      put({ ...project, parked }),
      ...voidProjectQuestions(
        state,
        project.id,
        'it has another workdir',
        event.at,
        (row) => isAskedElse && row.kind === 'workdir',
      ),
      // The work is retried.
      ...voidProjectQuestions(
        state,
        project.id,
        'its definition changed',
        event.at,
        ({ kind }) => kind === 'limit' || kind === 'provider',
      ),
      ...voidRaisedLimits(state, before, project.limits, event.at),
      ...wokenByMore(state, before, project.limits),
    ];
  },

  project_suspended: (state, event) => {
    const project = needStoppable(state, event.project_id);
    return [
      put(move(project, 'suspend', { reason: event.reason, suspended_at: event.at })),
      ...pausedWith(state, project.id),
      ...endedConversations(state, project.id, event.at),
    ];
  },

  project_resumed: (state, event) => [
    put(resumed(state, need(state, 'projects', event.project_id))),
    ...resumedWith(state, event.project_id),
  ],

  project_completed: (state, event) => {
    const project = needStoppable(state, event.project_id);
    // A completed project never takes a brief again: every brief would have to name another project.
    if (project.id === DEFAULT_PROJECT) {
      throw failure('ILLEGAL_TRANSITION', `the project ${project.id} cannot be completed`, {
        hint: `Briefs that name no project go there. To stop its work, suspend it: autonomous project suspend ${project.id}`,
      });
    }
    const [open] = liveJobs(state, project.id);
    if (open !== undefined) {
      throw failure('ILLEGAL_TRANSITION', `project ${project.id} has a job that is not over: ${open.id}`, {
        hint: 'Wait for it, or cancel it.',
      });
    }
    return [
      put(move(project, 'complete', { reason: event.reason, completed_at: event.at })),
      ...awaiting(state, project.id).map((row) => put({ ...row, parked: untrusted(row) })),
      ...endedConversations(state, project.id, event.at),
      // Questions about who should receive a result concern other projects, so they stay open.
      ...voidProjectQuestions(state, project.id, 'the project is completed', event.at, ({ kind }) => kind !== 'relay'),
    ];
  },

  project_archived: (state, event) => {
    const project = need(state, 'projects', event.project_id);
    return [put(move(project, 'archive', { reason: project.reason, archived_at: event.at }))];
  },

  project_parked: (state, event) => {
    const project = need(state, 'projects', event.project_id);
    if (project.status !== 'active') {
      throw failure('ILLEGAL_TRANSITION', `project ${project.id} is ${project.status}: it is not running anyway`);
    }
    const changes = [put({ ...project, parked: event.reason })];
    if (event.approval === null) return changes;
    needNew(state, 'approvals', event.approval.id);
    return [...changes, { table: 'approvals', put: newApproval(state, event.approval, event.at) }];
  },

  project_unparked: (state, event) => {
    const project = need(state, 'projects', event.project_id);
    return [
      // A person may start it before the project that it depends on is completed.
      put({ ...project, parked: untrusted(project) ?? (isAwaiting(project.parked) ? null : awaits(state, project)) }),
      ...voidProjectQuestions(state, project.id, 'it is running again', event.at, (row) => row.kind === 'project'),
    ];
  },

  turn_ended: (state, event) => {
    const project = need(state, 'projects', event.project_id);
    return [
      put({ ...project, ended_turn: event.up_to, wait: null }),
      ...voidProjectQuestions(
        state,
        project.id,
        'the turn was stopped',
        event.at,
        ({ kind, task_id }) => task_id === null && (kind === 'limit' || kind === 'provider'),
      ),
    ];
  },

  message_sent: (state, event) => {
    const { message } = event;
    needNew(state, 'messages', message.id);
    needWritable(state, message.project_id);
    return [newMessage(message, event.at)];
  },

  messages_read: (state, event) => {
    need(state, 'projects', event.project_id);
    return [...state.messages.values()]
      .filter(
        (row) => row.project_id === event.project_id && row.direction === event.direction && row.id <= event.up_to,
      )
      .flatMap((row) => {
        const put = readBy(row, event.by ?? null, event.at);
        return put === row ? [] : [{ table: 'messages', put } as const];
      });
  },
} satisfies { readonly [T in ProjectEvent]: Reducer<T> };

type ProjectEvent =
  | 'project_created'
  | 'project_defined'
  | 'project_suspended'
  | 'project_resumed'
  | 'project_completed'
  | 'project_archived'
  | 'project_parked'
  | 'project_unparked'
  | 'turn_ended'
  | 'message_sent'
  | 'messages_read';

/** The effect of an answer on its project. */
export const projectAnswers = {
  /** Which repository a project may work on is decided with its question. */
  approval_decided: (state, event) => {
    const asked = need(state, 'approvals', event.id);
    const { kind, project_id } = asked;
    if (event.decision === 'rejected' || (kind !== 'workdir' && kind !== 'project')) return [];
    const project = need(state, 'projects', project_id);
    if (kind === 'project') return [put({ ...project, parked: null })];
    const { workdir, parked } = project;
    // The workdir may have changed since the question.
    if (workdir === null || !isAbout(asked, { of: 'workdir', path: workdir })) return [];
    return [
      put({ ...project, trusted_workdir: workdir, parked: isTrustHold(parked) ? awaits(state, project) : parked }),
    ];
  },
} satisfies { approval_decided: Reducer<'approval_decided'> };
