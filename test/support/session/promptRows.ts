/** Rows for prompts. */
import { UNTRIED } from '../../../src/core/job/reduce/features.ts';
import { UNSTARTED } from '../../../src/core/job/reduce/plans.ts';
import type { JobFacts } from '../../../src/engine/session/prompts/shared.ts';
import type { Evidence } from '../../../src/shared/job/evidence.ts';
import type { FeatureRow, JobRow, PhaseRow } from '../../../src/shared/job/rows.ts';
import type { NoteRow } from '../../../src/shared/note.ts';
import { jobRow } from '../state/builders.ts';

export const promptJob: JobRow = jobRow({
  id: 'job-1',
  title: 'A stack',
  brief: 'Write a stack with push and pop.',
  planner_tries: 0,
  setup_ran: [{ command: 'npm ci', exitCode: 0 }],
  setup_removed: null,
});

export const promptPhase: PhaseRow = {
  id: 2,
  job_id: 'job-1',
  number: 2,
  title: 'Core "things"',
  objective: 'A stack that works.',
  acceptance_criteria: ['push and pop work'],
  verify_commands: ['node --test'],
  ...UNSTARTED,
  status: 'executing',
  review_attempt: 0,
};

export const promptFeature: FeatureRow = {
  id: 5,
  job_id: 'job-1',
  phase_id: 2,
  position: 1,
  name: 'push and pop',
  description: 'push adds, pop removes.',
  category: 'core',
  testing_steps: ['run node --test'],
  verify_commands: [],
  paths: [],
  depends_on: [],
  ...UNTRIED,
  status: 'in_progress',
  created_by: 'plan',
  created_at: '2030-01-01T00:00:00.000Z',
  completed_at: null,
};

export const promptNote: NoteRow = {
  id: 9,
  feature_id: null,
  category: 'core',
  content: 'arrays, not lists',
  created_by_session: null,
  created_by: 'steward',
  created_at: '2030-01-01T00:00:00.000Z',
  file: null,
  line: null,
  anchor: null,
  superseded_by: null,
};

export const promptEvidence: Evidence = {
  command: 'node --test',
  exitCode: 0,
  ended: null,
  durationMs: 120,
  artifact: 'a',
  tail: 'ok 1',
  commit: '0123456789abcdef',
  sandboxed: true,
};

/** Facts of a job, empty except for what is given. */
export function jobFacts(known: Partial<JobFacts>): JobFacts {
  return { instructions: [], map: '', subjects: [], ...known };
}
