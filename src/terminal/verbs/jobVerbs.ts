/** Verbs about jobs and their questions. */
import type { Command } from 'commander';
import { MERGE_MODES } from '../../shared/job/rows.ts';
import type { ApproveOptions } from '../approval/decide.ts';
import type { Act, Context } from '../screen/context.ts';

type JobVerb = (context: Context, id: string | undefined) => Promise<number>;
type JobActs = typeof import('../job/jobActs.ts');

const MERGES = {
  merge: 'finish by merging into the base branch',
  branch: 'finish by leaving a branch',
  patch: 'finish by writing a patch file',
} as const;

export function addJobVerbs(program: Command, act: Act): void {
  program
    .command('jobs')
    .description('list the jobs')
    .action(() => act(async (context) => (await import('../job/jobs.ts')).jobsVerb(context)));

  const job = program.command('job').description('show or change a job; without an id, the selected or newest one');
  const one = (name: string, description: string, load: () => Promise<JobVerb>): void => {
    job
      .command(`${name} [job]`)
      .description(description)
      .action((id: string | undefined) => act(async (context) => (await load())(context, id)));
  };
  const acts = (): Promise<JobActs> => import('../job/jobActs.ts');
  one('show', "show a job's state", async () => (await import('../job/jobs.ts')).jobShowVerb);
  one('select', 'set the default job for other commands', async () => (await acts()).selectVerb);
  one('pause', 'pause a job; no work is lost', async () => (await acts()).pauseVerb);
  one('resume', 'resume a paused job, or try a waiting one now', async () => (await acts()).resumeVerb);
  one('cancel', 'cancel a job', async () => (await acts()).cancelVerb);
  one('retry', 'retry the failed features of a job', async () => (await acts()).retryVerb);
  one('rollback', 'revert the merge of a job', async () => (await acts()).rollbackVerb);
  one('diff', 'print the result of a job as a unified diff', async () => (await acts()).diffVerb);
  job
    .command('budget <usd> [job]')
    .description('set the cost limit of a job, or none; a paused job stays paused')
    .action((usd: string, id: string | undefined) =>
      act(async (context) => (await acts()).budgetVerb(context, usd, id)),
    );
  job
    .command('lanes <number> [job]')
    .description('set how many features a job works on at the same time, 1 to 16')
    .action((lanes: string, id: string | undefined) =>
      act(async (context) => (await acts()).lanesVerb(context, lanes, id)),
    );
  job
    .command('setup <command> [job]')
    .description('add a setup command to a job, e.g. "npm install"')
    .action((setup: string, id: string | undefined) =>
      act(async (context) => (await acts()).setupVerb(context, setup, id)),
    );
  for (const mode of MERGE_MODES) {
    one(mode, MERGES[mode], async () => {
      const { finishVerb } = await acts();
      return (context, id) => finishVerb(context, id, mode);
    });
  }

  program
    .command('approvals')
    .description('list open questions')
    .action(() => act(async (context) => (await import('../approval/approvals.ts')).approvalsVerb(context)));
  program
    .command('approve <approval>')
    .description('approve a question')
    .option('--choice <choice>', 'one of its choices')
    .option('--answer <text>', "the answer to a worker's question, or your words with a yes")
    .option('-y, --yes', 'do not ask about files that would execute on this machine')
    .action((id: string, options: ApproveOptions) =>
      act(async (context) => (await import('../approval/decide.ts')).approveVerb(context, id, options)),
    );
  program
    .command('reject <approval>')
    .description('reject a question')
    .requiredOption('--feedback <text>', 'what should be different')
    .action((id: string, options: { feedback: string }) =>
      act(async (context) => (await import('../approval/decide.ts')).rejectVerb(context, id, options)),
    );
}
