/** Moves of the user's branch that were cut short: every job's is settled, and one that cannot be holds up no other. */
import { expect, test } from 'vitest';
import { recoverInterruptedMerges } from '../../../../../src/engine/job/tree/recoverInterruptedMerges.ts';
import { jobRow, stateOf } from '../../../../support/state/builders.ts';

test('each job with a clone is asked for, and what there is to say is reported', async () => {
  const jobs = ['quiet', 'told', 'broken', 'last'].map((id) => jobRow({ id, job_dir: `/jobs/${id}` }));
  const problems: string[] = [];
  const settled: string[] = [];
  await recoverInterruptedMerges({
    state: stateOf({ jobs: [jobRow({ id: 'new', clone_dir: null }), ...jobs] }),
    projectDir: '/project',
    git: {
      recoverFastForward: async ({ gitDir }) => {
        settled.push(gitDir);
        if (gitDir.includes('broken')) throw new Error('the index is locked');
        return gitDir.includes('told') ? 'it was undone' : null;
      },
    },
    problem: (text) => problems.push(text),
  });
  expect(settled).toEqual(['quiet', 'told', 'broken', 'last'].map((id) => `/jobs/${id}/git`));
  expect(problems).toEqual(['the merge of job told: it was undone', 'the merge of job broken: the index is locked']);
});
