/** Set Budget gives a budget, and nothing else: no job is resumed by it. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { FakeEditor } from '../../../support/editor/fakeEditor.ts';
import { JOB_ID, jobOptions, jobRow, stateOf } from '../../../support/state/builders.ts';

const editor = vi.hoisted(() => ({ current: null as unknown as FakeEditor }));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../support/editor/fakeEditor.ts');
  editor.current = fakeEditor();
  return editorModule(editor.current);
});

const { setBudget } = await import('../../../../src/vscode/job/setBudget.ts');

async function typed(text: string | undefined): Promise<unknown[]> {
  const requests: unknown[] = [];
  const state = stateOf({ jobs: [jobRow({ options: jobOptions({ budgetMicroUsd: 10_000_000 }) })] });
  const engine = { state, request: async (...request: unknown[]) => void requests.push(request) };
  editor.current.types = [text];
  await setBudget({ engine } as unknown as HostContext, JOB_ID);
  return requests;
}

beforeEach(() => {
  editor.current.types = [];
});

it.each([
  ['2.5', 2_500_000],
  [' 12 ', 12_000_000],
  ['', null],
])('takes %j', async (text, budgetMicroUsd) => {
  expect(await typed(text)).toEqual([['setBudget', { jobId: JOB_ID, budgetMicroUsd }]]);
});

it('takes nothing when it is dismissed', async () => {
  expect(await typed(undefined)).toEqual([]);
});
