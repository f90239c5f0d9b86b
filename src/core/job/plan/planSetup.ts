/** Finds the parts of a plan that need an answer by the steward: its questions, and setup commands beside those of the brief or of lock files. */

import type { Plan } from '../../../shared/job/plan.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { About } from '../../approval/about.ts';

type Known = Pick<JobRow, 'setup_ran' | 'setup_added'>;

/** The setup commands that ran in the clone and passed. */
export const ranSetup = ({ setup_ran }: Pick<JobRow, 'setup_ran'>): readonly string[] =>
  (setup_ran ?? []).filter(({ exitCode }) => exitCode === 0).map(({ command }) => command);

/** The setup commands of a plan that did not run and that the steward did not grant. */
export function newSetup(job: Known, { setup = [] }: Pick<Plan, 'setup'>): readonly string[] {
  const ran = ranSetup(job);
  return [...new Set(setup)].filter((command) => !ran.includes(command) && !job.setup_added.includes(command));
}

/** Whether a person must see the plan, even if the job has no plan gate: it asks questions, or wants commands to run. */
export function mustBeAsked(job: Known, plan: Plan): boolean {
  return (plan.questions ?? []).length > 0 || newSetup(job, plan).length > 0;
}

/** The question about this version of a plan. If the plan asks questions, an approval needs words: see `needsAnswer`. */
export function aboutPlan(version: number, { questions = [] }: Pick<Plan, 'questions'>): About {
  return { of: 'plan', version, asks: questions.length > 0 };
}
