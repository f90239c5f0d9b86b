/** The text that the sessions of a job share: what is known of the repository and the machine, the project, the brief. */
import type { JobRow } from '../../shared/domain.ts';
import { quoted } from '../text.ts';
import { linesWithin, TOKENS } from './factsBudget.ts';
import { briefSection, projectSection, prompt, section, setupSection } from './sections.ts';

export interface Shared {
  readonly job: Pick<JobRow, 'brief' | 'setup_ran'>;
  readonly facts: JobFacts;
  /** Empty for a role that is given nothing of the project. */
  readonly projectBody: string;
}

/** What is known of a job's repository as of the commit that the job began with. */
export interface JobFacts {
  /** Subjects of the last commits, newest first. */
  readonly subjects: readonly string[];
}

/** The brief comes last and whole. */
export function sharedOpening({ job, facts, projectBody }: Shared): string {
  return prompt(setupSection(job), commitsSection(facts), projectSection(projectBody), briefSection(job));
}

function commitsSection({ subjects }: JobFacts): string {
  if (subjects.length === 0) return '';
  const more = (left: number): string => `(${left} more are not shown)`;
  return section('The last commits, newest first', quoted('commits', linesWithin(subjects, TOKENS.commits, more)));
}
