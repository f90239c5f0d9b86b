/** One cause outside the jobs is one question to the steward: what is grouped, what is not, and how it is named. */
import { describe, expect, it } from 'vitest';
import { openQuestions, sameCause, untold, waitingFor } from '../../../../src/core/approval/sameCause.ts';
import { questionKey } from '../../../../src/core/approval/stewardship.ts';
import { projectViews } from '../../../../src/core/project/projectView.ts';
import { panelMaker } from '../../../../src/core/workspace/panel.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';
import { approvalRow, jobOptions, jobRow, projectRow, stateOf } from '../../../support/state/builders.ts';

const provider = (id: number, code: string, job_id: string, parts: object = {}) =>
  approvalRow({
    id,
    job_id,
    kind: 'provider',
    subject: `provider:${code}:${id}`,
    question: `The model cannot be used: ${code} ${id}. Try again?`,
    ...parts,
  });

const jobs = ['a', 'b', 'c'].map((id) =>
  jobRow({ id, title: `Job ${id}`, options: jobOptions({ provider: id === 'c' ? 'vscode-lm' : 'anthropic' }) }),
);

const grouped = (...approvals: ReturnType<typeof approvalRow>[]) =>
  openQuestions(stateOf({ jobs, projects: [projectRow({ id: 'default' })], approvals })).map(({ row, others }) =>
    [row, ...others].map(({ id }) => id),
  );

describe('questions of one cause are one', () => {
  it('without a key, whatever each says', () => {
    expect(grouped(provider(1, 'KEY_MISSING', 'a'), provider(2, 'KEY_MISSING', 'b'))).toEqual([[1, 2]]);
  });

  it('with the same thing missing on this machine', () => {
    const question = 'bubblewrap is missing. Try again?';
    const missing = (id: number, job: string) => provider(id, 'SANDBOX_UNAVAILABLE', job, { question });
    expect(grouped(missing(1, 'a'), missing(2, 'c'))).toEqual([[1, 2]]);
    expect(grouped(missing(1, 'a'), provider(2, 'SANDBOX_UNAVAILABLE', 'b'))).toEqual([[1], [2]]);
  });

  it.each<[string, ReturnType<typeof approvalRow>, ReturnType<typeof approvalRow>]>([
    ['another provider', provider(1, 'KEY_MISSING', 'a'), provider(2, 'KEY_MISSING', 'c')],
    ['another cause', provider(1, 'KEY_MISSING', 'a'), provider(2, 'NO_CREDIT', 'b')],
    ['a request of its own', provider(1, 'MODEL_REQUEST_REFUSED', 'a'), provider(2, 'MODEL_REQUEST_REFUSED', 'b')],
    ['two gates', approvalRow({ id: 1, kind: 'plan' }), approvalRow({ id: 2, kind: 'plan' })],
  ])('not with %s', (_, one, other) => expect(grouped(one, other)).toEqual([[1], [2]]));

  it('not once they are answered', () => {
    expect(grouped(provider(1, 'KEY_MISSING', 'a', { status: 'approved' }), provider(2, 'KEY_MISSING', 'b'))).toEqual([
      [2],
    ]);
  });
});

describe('the one question', () => {
  const [first, second] = [provider(1, 'KEY_MISSING', 'a'), provider(2, 'KEY_MISSING', 'b')];
  const state = stateOf({ jobs, projects: [projectRow({ id: 'default' })], approvals: [first, second] });

  it('names all that wait, each once', () => {
    expect(waitingFor(state, first, sameCause(state, first))).toEqual(['Job a', 'Job b']);
    expect(sameCause(state, second)).toEqual([first]);
  });

  it('is told once: a job that joins later is no news', () => {
    expect(untold(state, new Set()).map(({ row }) => row.id)).toEqual([1]);
    expect(untold(state, new Set([questionKey(first)]))).toEqual([]);
  });

  it('is one item of the page, which leads from the other job to it', () => {
    const view = panelMaker().view(state, '2026-11-21', { banner: null, mode: 'owner' }, NO_LOOK, 0);
    expect(view.approvals).toMatchObject([
      { id: 1, jobId: 'a', waiting: ['Job a', 'Job b'] },
      { id: 2, jobId: 'b', settledBy: 1 },
    ]);
  });
});

it('count as one in each project that waits for the cause', () => {
  const own = jobs.map((job) => ({ ...job, project_id: job.id === 'c' ? 'other' : 'default' }));
  const question = 'bubblewrap is missing. Try again?';
  const missing = (id: number, job: string, project_id: string) =>
    provider(id, 'SANDBOX_UNAVAILABLE', job, { question, project_id });
  const rows = {
    jobs: own,
    projects: [projectRow({ id: 'default' }), projectRow({ id: 'other' })],
    approvals: [
      missing(1, 'a', 'default'),
      missing(2, 'b', 'default'),
      missing(3, 'c', 'other'),
      provider(4, 'NO_CREDIT', 'a', { project_id: 'default' }),
    ],
  };
  const counts = projectViews(stateOf(rows), '2026-11-02').map(({ name, questions }) => [name, questions]);
  expect(counts).toEqual([
    ['default', 2],
    ['other', 1],
  ]);
});
