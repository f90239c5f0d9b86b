import { expect, test } from 'vitest';
import { releasedText } from '../../../../src/engine/project/released.ts';
import { jobRow, phaseRow, projectRow, stateOf } from '../../../support/state/builders.ts';

const api = projectRow({ id: 'api', body: '## Goal\n\nMove to version 2.\n', workdir: '/repos/api' });
const merge = {
  mode: 'merge',
  target: 'main',
  commit: 'abcdef0123456789',
  previous: null,
  checkedOut: false,
  rolledBack: false,
  note: null,
} as const;
const BUILT = 'The option --limit is in src/cli.ts.\nIt takes a number.';
const docs = projectRow({ id: 'docs', workdir: '/repos/docs' });

test('a project that waited is told what the other one was for, what came of it and where it is', () => {
  const jobs = [
    jobRow({ id: 'job-1', project_id: 'api', status: 'completed', title: 'Move', merge }),
    jobRow({ id: 'job-2', project_id: 'api', status: 'cancelled', title: 'Trim', reason: 'cancelled by you' }),
    jobRow({ id: 'job-3', project_id: 'web', status: 'completed' }),
  ];
  const phases = [
    phaseRow({ ...{ id: 1, job_id: 'job-1', number: 1, title: 'Core', status: 'completed' }, summary: BUILT }),
    phaseRow({ ...{ id: 2, job_id: 'job-2', number: 1, title: 'Trim', status: 'failed' }, summary: 'Half.' }),
  ];
  expect(releasedText(stateOf({ jobs, phases }), api, docs, { reason: 'It is out.', by: 'main' }).split('\n')).toEqual([
    'Project api is completed by the main agent: It is out. You come after it, and may start.',
    '- Its goal: Move to version 2.',
    '- Its jobs, the newest first:',
    '  - Trim: it was cancelled by the steward.',
    '  - Move: it completed, and its result was merged into main as commit abcdef012345.',
    '    - Phase 1, Core: The option --limit is in src/cli.ts. It takes a number.',
    '- Its repository: /repos/api. It is not yours: your file tools cannot read it.',
    '- api takes no more messages. If you need to know more of it, notify the steward and the main agent.',
  ]);
  const beside = releasedText(
    stateOf({}),
    { ...api, workdir: null },
    { ...docs, workdir: null },
    { reason: '', by: 'steward' },
  );
  expect(beside).toMatch(/^Project api is completed by the steward\. You [\s\S]*had no jobs[\s\S]*the same as yours/);
});

test('what does not fit is left out of the oldest jobs, and counted', () => {
  const count = 300;
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const jobs = ids.map((id) =>
    jobRow({ ...{ id: `job-${id}`, project_id: 'api', status: 'completed', merge }, title: `Part ${id}` }),
  );
  const phases = ids.map((id) => phaseRow({ id, job_id: `job-${id}`, title: 'Core', summary: 'long '.repeat(400) }));
  const text = releasedText(stateOf({ jobs, phases }), api, docs, { reason: '', by: 'main' });
  expect(text.length).toBeLessThan(14_000);
  const summaries = text.match(/- Phase 1, Core: long/g)?.length ?? 0;
  const listed = text.match(/- Part \d+: it completed/g)?.length ?? 0;
  expect(summaries).toBeGreaterThan(2);
  expect(text).toMatch(/newest first:\n {2}- Part 300: [^\n]*\n {4}- Phase 1, Core: long/);
  expect(text).toContain(`- Left out for length: ${listed - summaries} of the summaries of phases.`);
  expect(text).toContain(`- Left out for length: ${count - listed} older jobs.`);
});
