/** What a project may do to its own jobs. */
import { expect, test } from 'vitest';
import { need } from '../../../../src/core/state/rows.ts';
import { callJobTool } from '../../../../src/engine/project/jobTool.ts';
import type { JobAction } from '../../../../src/shared/job/jobTool.ts';
import { mainAgentWorld } from '../../../support/world/mainAgentWorld.ts';

async function filed() {
  const { tools: context, call, state } = await mainAgentWorld();
  for (const name of ['api', 'app']) await call('create_project', { name, goal: 'x' });
  await call('submit_brief', { brief: 'Write a stack.', project: 'api' });
  const [job] = [...state.jobs.values()];
  const id = job?.id ?? '';
  const steer = (project: string, action: JobAction, reason = '') =>
    callJobTool(context, project, { job: id, action, reason });
  return { context, id, steer, row: () => need(state, 'jobs', id) };
}

test('a job is read in full, by its own project alone', async () => {
  const { steer, id } = await filed();
  expect(await steer('api', 'status')).toMatch(
    new RegExp(`^Job ${id}: .*\\n- Asked: Write a stack\\.\\n- Cost: \\$0\\.0000\\n- There is no plan yet\\.$`),
  );
  for (const action of ['status', 'cancel', 'pause', 'resume'] as const) {
    await expect(steer('app', action)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('a job is paused, resumed and cancelled with a reason that names the project', async () => {
  const { steer, row } = await filed();
  await steer('api', 'pause', 'The order\nchanged.');
  expect(row()).toMatchObject({ status: 'paused', reason: 'paused by project api: The order changed.' });
  await steer('api', 'resume');
  expect(row().status).not.toBe('paused');
  await steer('api', 'cancel', 'Not needed.');
  expect(row()).toMatchObject({ status: 'cancelled', reason: 'cancelled by project api: Not needed.' });
  expect(await steer('api', 'cancel')).toMatch(/has ended already: it was cancelled/);
});

test('a pause by the steward is ended by the steward alone', async () => {
  const { context, id, steer, row } = await filed();
  await context.request('pauseJob', { jobId: id });
  await expect(steer('api', 'resume')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(row().status).toBe('paused');
});

test('a job without an accepted plan is filed again with an addition, once over an interruption', async () => {
  const { context, id, steer, row } = await filed();
  const { request } = context;
  const cut = {
    ...context,
    request: (async (name, input) => {
      if (name === 'cancelJob') throw new Error('killed');
      return request(name, input);
    }) as typeof request,
  };
  const asked = { job: id, action: 'amend', reason: 'It must have peek, too.' } as const;
  await expect(callJobTool(cut, 'api', asked)).rejects.toThrow('killed');
  expect(await steer('api', 'amend', asked.reason)).toMatch(/^Job .* is cancelled, and filed again as job /);
  const [, again, ...more] = [...context.state.jobs.values()];
  expect(more).toEqual([]);
  expect(again).toMatchObject({ brief: 'Write a stack.\n\n# Added by the project\nIt must have peek, too.' });
  expect(row()).toMatchObject({ status: 'cancelled', reason: expect.stringContaining(`filed again as ${again?.id}`) });
  const accepted = {
    ...context.state,
    jobs: new Map([[id, { ...row(), status: 'running', plan_accepted: true } as const]]),
  };
  const late = callJobTool({ ...context, state: accepted }, 'api', asked);
  await expect(late).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
});
