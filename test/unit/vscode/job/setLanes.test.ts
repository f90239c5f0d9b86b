/** Set Lanes gives a number of lanes, and nothing else: no job is resumed by it. */
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

const { setLanes } = await import('../../../../src/vscode/job/setLanes.ts');

async function typed(text: string | undefined): Promise<unknown[]> {
  const requests: unknown[] = [];
  const state = stateOf({ jobs: [jobRow({ options: jobOptions({ lanes: 3 }) })] });
  const engine = { state, request: async (...request: unknown[]) => void requests.push(request) };
  editor.current.types = [text];
  await setLanes({ engine } as unknown as HostContext, JOB_ID);
  return requests;
}

beforeEach(() => {
  editor.current.types = [];
});

it.each([
  ['1', 1],
  [' 16 ', 16],
])('takes %j', async (text, lanes) => {
  expect(await typed(text)).toEqual([['setLanes', { jobId: JOB_ID, lanes }]]);
});

it('takes nothing when it is dismissed', async () => {
  expect(await typed(undefined)).toEqual([]);
});
