/** What a process names as its work when it resumes it or ends. */
import { expect, test } from 'vitest';
import { unfinishedConversations } from '../../../../../src/core/project/conversations.ts';
import type { OpenedEngine } from '../../../../../src/engine/workspace/workspace.ts';
import type { AtWork } from '../../../../../src/shared/workspace/atWork.ts';
import { runningHere } from '../../../../../src/terminal/screen/run/leaving.ts';
import { messageRow, projectRow, sessionRow, spendRow, stateOf } from '../../../../support/state/builders.ts';

const read = '2030-01-01T00:00:00.000Z';
const state = stateOf({
  projects: [projectRow({ id: 'api' })],
  messages: [messageRow({ id: 1, project_id: 'api', direction: 'in', sender: 'steward', read_at: read })],
  sessions: [sessionRow({ id: 1, job_id: null, project_id: 'api', role: 'project', status: 'running' })],
  spends: [spendRow({ id: 1, session_id: 1, job_id: null, project_id: 'api', status: 'unsettled' })],
});
const engineOf = (turns: readonly string[], works = true) => {
  const atWork: AtWork = { works, jobs: [], turns };
  return { owner: true, state, atWork: () => atWork } as unknown as OpenedEngine;
};

test('an answer is named only if its turn is in hand, though the cost of its last call is in doubt', async () => {
  expect([...unfinishedConversations(state)]).toEqual(['api']);
  expect(await runningHere(engineOf([]))).toEqual([]);
  expect(await runningHere(engineOf(['api']))).toEqual([{ id: 'api', text: 'answer of api' }]);
  expect(await runningHere(engineOf(['api'], false))).toEqual([]);
});
