import { expect, test } from 'vitest';
import { releasedText } from '../../../src/projects/released.ts';
import { jobRow, projectRow, stateOf } from '../../support/builders.ts';

const api = projectRow({ id: 'api', body: '## Goal\n\nMove to version 2.\n', workdir: '/work/api' });
const docs = projectRow({ id: 'docs', workdir: '/work/docs' });

test('a project that waited is told what the other one was for, what came of it and where it is', () => {
  const merge = {
    mode: 'merge',
    target: 'main',
    commit: 'abcdef0123456789',
    previous: null,
    checkedOut: false,
    rolledBack: false,
    note: null,
  } as const;
  const jobs = [
    jobRow({ id: 'job-1', project_id: 'api', status: 'completed', title: 'Move', merge }),
    jobRow({ id: 'job-2', project_id: 'api', status: 'cancelled', title: 'Trim', reason: 'cancelled by you' }),
    jobRow({ id: 'job-3', project_id: 'web', status: 'completed' }),
  ];
  expect(releasedText(stateOf({ jobs }), api, docs, { reason: 'It is out.', by: 'main' }).split('\n')).toEqual([
    'Project api is completed by the main agent: It is out. You come after it, and may begin.',
    '- Its goal: Move to version 2.',
    '- Job job-1, Move: it completed, and its result was merged into main, commit abcdef012345.',
    '- Job job-2, Trim: it was cancelled by the steward.',
    '- Its repository: /work/api. It is not yours: your file tools cannot read it.',
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
