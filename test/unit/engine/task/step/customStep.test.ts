import { expect, test } from 'vitest';
import { customStep } from '../../../../../src/engine/task/step/customStep.ts';
import type { StepResult } from '../../../../../src/shared/task/taskWork.ts';

const ACTION = 'acme.tools/ask';
const of = { taskId: 'task-1', projectId: 'api', stepId: 1, sessionId: null } as const;

function carryOut(run: () => unknown, signal = new AbortController().signal): Promise<StepResult> {
  const actions = { names: () => [ACTION], changed: () => () => undefined, run: async () => run() };
  return customStep(actions, { kind: 'custom', action: ACTION, params: {}, ...of }, signal);
}

const itself: { own?: unknown } = {};
itself.own = itself;

test.each([
  [undefined, null],
  ['text', 'text'],
  [{ a: [1, true, null] }, { a: [1, true, null] }],
])('%j is a result', async (given, result) =>
  expect(await carryOut(() => given)).toEqual({ outcome: 'completed', result, session: null }),
);

test.each([
  ['a function', () => carryOut],
  ['what holds itself', () => itself],
  ['a number without a word for it', () => ({ n: Number.NaN })],
  ['a big number', () => 10n],
  ['a date', () => ({ at: new Date(0) })],
])('%s is none', async (_, given) => {
  expect(await carryOut(given)).toMatchObject({
    outcome: 'failed',
    error: `${ACTION} returned a result that is not JSON`,
  });
});

test('5 MB are refused with their number; what fails says why, in bounds', async () => {
  const large = await carryOut(() => 'x'.repeat(5_000_000));
  expect(large).toMatchObject({ outcome: 'failed', error: expect.stringContaining('5000002 characters') });
  const failed = await carryOut(() => {
    throw new Error('no'.repeat(1_000_000));
  });
  expect(failed).toMatchObject({ outcome: 'failed', error: 'no'.repeat(2_000) });
});

test('who does not hear that it is to stop is not waited for', async () => {
  const abort = new AbortController();
  const result = carryOut(() => new Promise(() => undefined), abort.signal);
  abort.abort();
  expect(await result).toEqual({ outcome: 'aborted' });
});

test('where nobody registered it, it waits for whoever will', async () => {
  const order = { kind: 'custom', action: ACTION, params: {}, ...of } as const;
  const result = await customStep(undefined, order, new AbortController().signal);
  expect(result).toMatchObject({ outcome: 'unavailable', code: 'NOT_FOUND', wakeAt: null });
});
