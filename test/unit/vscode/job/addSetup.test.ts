/** Add Setup Command asks for the command, suggests the one that the job lacks, and adds nothing by itself. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { JobRow } from '../../../../src/shared/job/rows.ts';
import type { EngineHandle } from '../../../../src/vscode/window/context.ts';
import type { FakeEditor } from '../../../support/editor/fakeEditor.ts';
import { JOB_ID, jobRow } from '../../../support/state/builders.ts';

const editor = vi.hoisted(() => ({ current: null as unknown as FakeEditor }));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../support/editor/fakeEditor.ts');
  editor.current = fakeEditor();
  return editorModule(editor.current);
});

const { addSetup } = await import('../../../../src/vscode/job/addSetup.ts');

const setup_gap = { manifest: 'package.json', command: 'npm install' };

async function typed(text: string | undefined, patch: Partial<JobRow> = {}): Promise<unknown[]> {
  const requests: unknown[] = [];
  const engine = { request: async (...request: unknown[]) => void requests.push(request) };
  editor.current.types = [text];
  await addSetup(engine as unknown as EngineHandle, jobRow(patch));
  return requests;
}

beforeEach(() => {
  editor.current.types = [];
});

const box = () => editor.current.inputs.at(-1);

it('suggests the command that the job lacks, until one was added', async () => {
  await typed(undefined, { setup_gap });
  expect(box()?.value).toBe('npm install');
  await typed(undefined, { setup_gap, setup_added: ['npm install'] });
  expect(box()?.value).toBe('');
});

it('refuses what is no command of one line', async () => {
  await typed(undefined);
  const faults = [' ', 'a\nb', 'x'.repeat(1_001), 'npm ci'].map((text) => box()?.validateInput?.(text) ?? null);
  expect(faults.map((fault) => fault === null)).toEqual([false, false, false, true]);
});

it('takes one command', async () => {
  expect(await typed(' npm ci ')).toEqual([['addSetup', { jobId: JOB_ID, command: 'npm ci' }]]);
});

it('takes nothing when it is dismissed, whatever it suggested', async () => {
  expect(await typed(undefined, { setup_gap })).toEqual([]);
});
