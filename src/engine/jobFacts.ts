/** What the sessions of a job share, from its rows and from the commit that it began with: the same for all of them, after a restart too. */
import { type JobFacts, sharedOpening } from '../agent/prompts/shared.ts';
import type { JobRow } from '../shared/domain.ts';
import type { JobContext } from './context.ts';
import { jobHead, jobTree } from './tree.ts';

const SUBJECTS = 10;

type FactsPorts = Pick<JobContext, 'git' | 'projectDir'>;

/** `projectBody` is empty for a role that is given nothing of the project. */
export async function sharedText(context: FactsPorts, job: JobRow, projectBody: string): Promise<string> {
  return sharedOpening({ job, projectBody, facts: await jobFacts(context, job) });
}

async function jobFacts({ git, projectDir }: FactsPorts, job: JobRow): Promise<JobFacts> {
  const tree = jobTree(projectDir, job);
  const origin = await git.origin(tree, job.baseline ?? jobHead(job), job.snapshot);
  return { subjects: await git.lastSubjects(tree, origin, SUBJECTS) };
}
