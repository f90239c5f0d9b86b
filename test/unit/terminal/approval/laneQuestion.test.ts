/** A question of one lane: it names its feature, and states that output of other lanes is held meanwhile. */
import { expect, test } from 'vitest';
import { personSteward } from '../../../../src/terminal/approval/approvalPrompts.ts';
import type { Context } from '../../../../src/terminal/screen/context.ts';
import type { RunView } from '../../../../src/terminal/screen/run/views.ts';
import { approvalRow, attemptRow, featureRow, jobRow, stateOf } from '../../../support/state/builders.ts';

/** What the person sees, who leaves at once. `status`: of the attempt in the other lane. */
async function shown(status: 'running' | 'queued' | 'interrupted'): Promise<string> {
  let out = '';
  const io = { out: (text: string) => (out += text), ask: async () => 'q' };
  const context = { paint: (text: string) => text, deps: { io } } as unknown as Context;
  const job = jobRow();
  const state = stateOf({
    jobs: [job],
    features: [featureRow({ id: 1, name: 'Agenda' }), featureRow({ id: 2, name: 'Export' })],
    attempts: [
      attemptRow({ id: 1, feature_id: 1, status: 'running', lane: 0 }),
      attemptRow({ id: 2, feature_id: 2, status, lane: 1 }),
    ],
  });
  const view = { hold: () => undefined, release: () => undefined } as unknown as RunView;
  const asked = approvalRow({ id: 5, kind: 'stuck', status: 'pending', feature_id: 1, question: 'Which port?' });
  const answer = await personSteward(context)(asked, { job, state, view, signal: new AbortController().signal });
  expect(answer).toBe('leave');
  return out;
}

test('a question names its feature, and other lanes that continue', async () => {
  const text = await shown('running');
  expect(text).toContain('Question 5 (stuck): Which port?\n  Feature 1: Agenda\n');
  expect(text).toContain('Other features continue. Their lines follow your answer.');
  expect(await shown('queued')).toContain('Other features continue.');
  expect(await shown('interrupted')).not.toContain('Other features continue.');
});
