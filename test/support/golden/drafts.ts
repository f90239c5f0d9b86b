import type { Evidence } from '../../../src/shared/job/evidence.ts';
import type { NewMessage } from '../../../src/shared/project/projects.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { jobOptions, newApproval, noteRow } from '../state/builders.ts';
import { attemptEnded, sessionEnd } from '../state/fold.ts';

export const commit = (digit: string): string => digit.repeat(40);
export const evidence: Evidence = {
  command: 'npm test',
  exitCode: 1,
  ended: null,
  durationMs: 1200,
  artifact: `${'a'.repeat(64)}.txt`,
  tail: '1 failed',
  commit: commit('b'),
  sandboxed: true,
};
export const merge = {
  mode: 'merge',
  target: 'main',
  commit: commit('9'),
  previous: commit('a'),
  checkedOut: true,
  rolledBack: false,
  note: null,
} as const;

export const brief = (id: string, project_id = 'default'): EventDraft => ({
  type: 'brief_submitted',
  job: {
    id,
    project_id,
    title: `Job ${id}`,
    brief: 'Write a stack.\n\nWith tests.',
    repository: null,
    options: jobOptions({ executors: { worker: 'other' }, budgetMicroUsd: 5_000_000 }),
    job_dir: `/jobs/${id}`,
    branch: `autonomous/${id}`,
  },
});

export const session = (
  id: number,
  job_id: string | null,
  role: 'planner' | 'worker' | 'reviewer' | 'summarizer' | 'task',
  more = {},
) =>
  ({
    type: 'session_started',
    id,
    job_id,
    project_id: 'default',
    role,
    model: 'm',
    phase_id: null,
    notes: [],
    ...more,
  }) as const;

export const attempt = (
  id: number,
  job_id: string,
  session_id: number,
  feature_id: number | null,
  phase_id = 1,
): Extract<EventDraft, { readonly type: 'attempt_started' }> => ({
  type: 'attempt_started',
  id,
  job_id,
  phase_id,
  feature_id,
  session_id,
  base_commit: commit('b'),
  notes: [],
});

export const asked = (id: number, job_id: string | null, patch: Parameters<typeof newApproval>[0] = {}) =>
  newApproval({ id, job_id, subject: `about:${id}`, ...patch });

export const message = (id: number, patch: Partial<NewMessage> = {}): NewMessage => ({
  id,
  project_id: 'default',
  direction: 'out',
  sender: 'project',
  text: `Message ${id}`,
  concerns: null,
  relayed_from: null,
  session_id: null,
  ...patch,
});

export const reserved = (id: number, session_id: number): EventDraft => ({
  type: 'call_reserved',
  id,
  session_id,
  provider: 'anthropic',
  model: 'm',
  day: '2026-11-02',
  micro_usd: 70_000,
  tokens: 9_000,
  price_version: '2026-11',
});

export const usage = { input: 1_000, output: 200, cacheRead: 300, cacheWrite5m: 40, cacheWrite1h: 5 };
export const ended = (id: number, status: 'succeeded' | 'failed', more: object = {}): EventDraft =>
  attemptEnded({
    id,
    job_id: 'j1',
    status,
    session: sessionEnd(id + 10),
    changed: { files: 1, added: 2, removed: 0 },
    ...more,
  });

export function noteOf(id: number) {
  const { created_at: _at, superseded_by: _by, ...note } = noteRow({ id });
  return note;
}

export function definitionOf() {
  return {
    model: 'm',
    provider: 'anthropic',
    scenario: null,
    executors: null,
    workdir: null,
    limits: { dayMicroUsd: 1_000_000, totalMicroUsd: null, tokens: null, toolCalls: 50 },
    heartbeat: { minutes: 30, prompt: 'Still right?' },
    after: 'default',
    idleMinutes: 60,
    body: 'Find out.',
  } as const;
}
