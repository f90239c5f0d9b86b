import { expect, test } from 'vitest';
import { makeContext } from '../../../../../src/terminal/screen/context.ts';
import { eventLine } from '../../../../../src/terminal/screen/run/eventLine.ts';
import { promptEvidence } from '../../../../support/session/promptRows.ts';
import { stateOf } from '../../../../support/state/builders.ts';
import { terminalWorld } from '../../../../support/world/terminalWorld.ts';

const context = makeContext((await terminalWorld()).deps, { jobsDir: '/jobs' });

const PASSES = 'The result passes every verify command of the plan';
const FOLDED = [
  { from: 'a', to: 'x' },
  { from: 'fix', to: 'x' },
];

test.each([
  [FOLDED, [], `${PASSES}; 1 fix folded into the commits of features`],
  [[], ['"B" stays.', '"C" stays.'], `${PASSES}. "B" stays. "C" stays.`],
  [FOLDED, ['"B" stays.'], `${PASSES}; 1 fix folded into the commits of features. "B" stays.`],
])('a verified result names the fixes in other commits and those that stay apart: %j, %j', (moved, apart, text) => {
  const event = {
    type: 'result_verified',
    id: 1,
    at: '2026-01-01T00:00:00.000Z',
    job_id: 'job-1',
    commit: 'a',
    evidence: [],
    feedback: null,
    folded: { head: 'x', moved, apart },
  } as const;
  expect(eventLine(event as never, stateOf({}), context)?.text).toBe(text);
});

test('a setup whose files were removed again says which, and how to keep them', () => {
  const event = {
    type: 'setup_finished',
    id: 1,
    at: '2026-01-01T00:00:00.000Z',
    job_id: 'job-1',
    evidence: [promptEvidence],
    head: 'a',
    removed: { paths: ['node_modules/', 'package-lock.json'], more: 3 },
  } as const;
  const line = eventLine(event as never, stateOf({}), context);
  expect(line?.tone).toBe('warning');
  expect(line?.text).toMatch(/^Ran 1 setup command\n.*removed again: node_modules\/, package-lock.json, and 3 more\n/);
  expect(line?.text).toContain('.gitignore');
});

test.each([
  ['setup_finished', { evidence: [], gap: { manifest: 'package.json', command: 'npm install' } }, 'npm install'],
  ['baseline_checked', { evidence: [{ ...promptEvidence, exitCode: 127, tail: 'sh: tape: not found' }] }, 'COMMAND'],
])('the hint of %s has the options of the run', (type, fields, words) => {
  const event = { type, id: 1, at: '2026-01-01T00:00:00.000Z', job_id: 'job-1', skipped: null, ...fields };
  expect(eventLine(event as never, stateOf({}), context)?.text).toContain(
    `To install ${words === 'COMMAND' ? 'it' : 'them'}: autonomous job setup "${words}" job-1 --jobs-dir /jobs`,
  );
});
