/** A job whose result was taken although a verify command fails on it says so wherever its end is shown. */
import { expect, test } from 'vitest';
import { subjectOf } from '../../../../src/core/approval/about.ts';
import { panelMaker } from '../../../../src/core/workspace/panel.ts';
import { NOTHING_AT_WORK } from '../../../../src/shared/workspace/atWork.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { lookingAt } from '../../../support/editor/fakeWorkspace.ts';
import { approvalRow, JOB_ID, jobRow, stateOf } from '../../../support/state/builders.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

const MERGE = { mode: 'merge', target: 'main', commit: 'm', previous: null, checkedOut: true } as const;

const FAILED = {
  ...{ command: 'npm test', exitCode: 1, ended: null, durationMs: 5, artifact: 'a', tail: 'no', commit: 'h' },
  sandboxed: true,
};

function taken(commit: string): State {
  const checks = { commit: 'h', evidence: [FAILED], base: [] };
  const merge = { ...MERGE, rolledBack: false, note: null };
  const answer = { status: 'approved', decided_by: 'steward', feedback: 'The registry is down.' } as const;
  return stateOf({
    jobs: [jobRow({ status: 'completed', head: 'h', merge, result_checks: checks })],
    approvals: [
      approvalRow({ id: 8, kind: 'escalate', subject: subjectOf({ of: 'accept', commit }), commit, ...answer }),
    ],
  });
}

const WORDS =
  '`npm test` fails on the result. The steward took it although it fails (question 8): The registry is down.';

test.each([
  ['shown', 'h', true],
  ['not shown if another commit was taken', 'older', false],
])('it is %s', async (_, commit, isShown) => {
  const state = taken(commit);
  const world = await terminalWorld({ columns: 160, workspace: lookingAt(state, NOTHING_AT_WORK) });
  expect(await world.run('job', 'show', JOB_ID)).toBe(0);
  expect(world.out.includes(`Verify    ${WORDS}`)).toBe(isShown);
  const [job] = panelMaker().view(state, '2026-11-02', { banner: null, mode: 'owner' }, NO_LOOK, 0).jobs;
  expect(job?.takenFailure?.commands).toEqual(isShown ? ['npm test'] : undefined);
});
