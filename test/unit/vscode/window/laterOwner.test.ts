/** A window without an engine, and another process that starts to own its folder. */
import { beforeEach, expect, it, vi } from 'vitest';
import { failure } from '../../../../src/shared/errors.ts';
import { type FakeEditor, fakeUri } from '../../../support/editor/fakeEditor.ts';
import { windowMachines } from '../../../support/editor/windowMachine.ts';
import { jobRow, stateOf } from '../../../support/state/builders.ts';

const editor = vi.hoisted(() => ({ current: null as unknown as FakeEditor }));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../support/editor/fakeEditor.ts');
  editor.current = fakeEditor();
  return editorModule(editor.current);
});

const { WorkspaceEngine } = await import('../../../../src/vscode/window/handle.ts');
const machine = windowMachines(WorkspaceEngine);

beforeEach(() => {
  Object.assign(editor.current, { trusted: true, settings: {}, picks: [], types: [] });
  editor.current.folders = [{ name: 'a', uri: fakeUri('/work/a') }];
});

it('follows an owner that starts later, and looks no more while it follows one', async () => {
  const { handle, looks, look, disk, next } = machine();
  await handle.begin();
  expect(await handle.followOwner()).toBe(false);
  disk.mark = 1;
  looks.push({ ...look, ownerAlive: true });
  next.push(false);
  expect(await handle.followOwner()).toBe(true);
  expect(handle.current?.owner).toBe(false);
  disk.mark = 2;
  expect(await handle.followOwner()).toBe(false);
});

it('notices an owner that starts while the window reads the state', async () => {
  const { handle, looks, look, disk, next } = machine();
  const reads = vi.spyOn(looks, 'shift').mockImplementationOnce(() => {
    disk.mark = 1;
    return look;
  });
  await handle.begin();
  expect(reads).toHaveBeenCalledOnce();
  looks.push({ ...look, ownerAlive: true });
  next.push(false);
  expect(await handle.followOwner()).toBe(true);
  expect(handle.current?.owner).toBe(false);
});

it('shows the result of an owner that has ended by then, and looks once', async () => {
  const { handle, looks, look, disk, engines } = machine();
  await handle.begin();
  disk.mark = 1;
  looks.push({ ...look, state: stateOf({ jobs: [jobRow({ status: 'completed' })] }) });
  expect(await handle.followOwner()).toBe(true);
  expect(handle.state.jobs.size).toBe(1);
  expect(engines).toEqual([]);
  expect(await handle.followOwner()).toBe(false);
});

it('looks once at a state that cannot be read', async () => {
  const { handle, disk } = machine();
  await handle.begin();
  Object.assign(disk, { mark: 1, fault: failure('STATE_DAMAGED', 'no such event') });
  expect(await handle.followOwner()).toBe(true);
  expect(handle.blocker).toBe('unreadable');
  expect(await handle.followOwner()).toBe(false);
});

it('asks for no owner without a folder', async () => {
  const { handle, disk } = machine();
  editor.current.folders = [];
  disk.mark = 1;
  expect(await handle.followOwner()).toBe(false);
});
