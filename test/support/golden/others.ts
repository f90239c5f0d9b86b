import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { newApproval, planOf } from '../state/builders.ts';
import { sessionEnd } from '../state/fold.ts';

import { attempt, brief, commit, definitionOf, merge, message, reserved, session } from './drafts.ts';

/** Others that end otherwise, and one that is under way. */
export const JOBS: readonly EventDraft[] = [
  brief('j2'),
  { type: 'job_failed', job_id: 'j2', reason: 'no plan' },
  { type: 'result_merged', job_id: 'j2', merge: { ...merge, mode: 'branch', target: 'autonomous/j2' } },
  brief('j3'),
  { type: 'job_cancelled', job_id: 'j3', reason: 'cancelled by you', by: 'steward' },
  brief('j4'),
  {
    type: 'clone_made',
    job_id: 'j4',
    clone_dir: '/jobs/j4/work/1',
    baseline: commit('a'),
    base_branch: null,
    snapshot: true,
    head: commit('b'),
  },
  {
    type: 'plan_proposed',
    job_id: 'j4',
    plan_version: 1,
    plan: planOf({ Core: ['only'] }),
    by: 'steward',
    session: null,
  },
  { type: 'plan_accepted', job_id: 'j4', plan_version: 1, ids: { phases: [{ id: 3, features: [7] }] }, by: 'yes_flag' },
  { type: 'phase_started', job_id: 'j4', phase_id: 3, base_commit: commit('b') },
  session(17, 'j4', 'worker', { phase_id: 3 }),
  attempt(7, 'j4', 17, 7, 3),
  reserved(4, 17),
];

export const PROJECTS: readonly EventDraft[] = [
  {
    type: 'project_created',
    project: { id: 'research', model: 'm', workdir: null, definition: definitionOf() },
    by: 'main',
  },
  {
    type: 'project_defined',
    project_id: 'research',
    definition: { ...definitionOf(), body: 'Find out more.' },
    by: 'steward',
  },
  { type: 'message_sent', message: message(1, { project_id: 'research', direction: 'in', sender: 'steward' }) },
  { type: 'messages_read', project_id: 'research', direction: 'in', up_to: 1 },
  { type: 'turn_ended', project_id: 'research', up_to: 1, by: 'steward' },
  {
    type: 'message_sent',
    message: message(2, { project_id: 'research', concerns: 'default', level: 'warning', task_id: null }),
  },
  { type: 'message_sent', message: message(3, { direction: 'in', relayed_from: 2 }) },
  {
    type: 'project_parked',
    project_id: 'research',
    reason: 'its thread died',
    approval: newApproval({ id: 4, job_id: null, project_id: 'research', kind: 'project', subject: 'thread' }),
  },
  { type: 'project_unparked', project_id: 'research' },
  { type: 'project_suspended', project_id: 'research', reason: 'idle', by: 'engine' },
  { type: 'project_resumed', project_id: 'research', by: 'steward' },
  {
    type: 'session_started',
    id: 30,
    job_id: null,
    project_id: 'research',
    role: 'project',
    model: 'm',
    phase_id: null,
    notes: [],
  },
  { type: 'wait_begun', session_id: 30, code: 'provider', reason: 'HTTP 429', until: '2026-11-03T00:00:00.000Z' },
  { type: 'wait_ended', session_id: 30 },
  { type: 'session_ended', session: sessionEnd(30) },
  {
    type: 'project_created',
    project: { id: 'done', model: null, workdir: null, definition: definitionOf() },
    by: 'steward',
  },
  { type: 'project_completed', project_id: 'done', reason: 'found', by: 'steward' },
  { type: 'project_archived', project_id: 'done', by: 'steward' },
];
