/** What a step gave is measured before anything else is done with it. */
import { expect, it } from 'vitest';
import { completedEnd } from '../../../../../src/engine/task/lead/results.ts';
import { type Json, TASK_LIMITS, type TaskStepRow } from '../../../../../src/shared/task/tasks.ts';

/** All that is asked of it: it wants nothing of its result. */
const STEP = { id: 1, output: null } as TaskStepRow;

it('a result that is too large is refused before it is searched for secrets', async () => {
  const large = 'x'.repeat(TASK_LIMITS.resultBytes);
  let reads = 0;
  const gave = {
    get text() {
      reads++;
      return large;
    },
  };
  const files = { put: async () => expect.fail('kept'), get: async () => null };
  await expect(completedEnd(files, STEP, gave as Json, null)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(reads).toBe(1);
});
