/** A window without an engine, and another process that starts to own its folder. */
import { beforeEach, expect, it, vi } from 'vitest';
import { failure } from '../../../../src/shared/errors.ts';
import { type FakeEditor, fakeUri } from '../../../support/editor/fakeEditor.ts';
import { windowMachines } from '../../../support/editor/windowMachine.ts';
import { jobRow, stateOf } from '../../../support/state/builders.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

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

const running = stateOf({ jobs: [jobRow({ status: 'running' })] });

it('follows an owner that starts later, and looks no more while it follows one', async () => {
  const { handle, looks, look, disk, next, opened } = machine();
  await handle.begin();
  expect(await handle.followOwner()).toBe(true);
  Object.assign(disk, { newest: '1-1.jsonl', isOwned: true });
  looks.push({ ...look, ownerAlive: true });
  next.push(false);
  expect(await handle.followOwner()).toBe(true);
  expect(handle.current?.owner).toBe(false);
  disk.newest = '2-1.jsonl';
  await handle.followOwner();
  expect(opened).toHaveLength(1);
});

it('follows an owner that somebody else has looked at before', async () => {
  const { handle, looks, look, disk, next } = machine();
  await handle.begin();
  Object.assign(disk, { newest: '1-1.jsonl', isOwned: true });
  looks.push({ ...look, ownerAlive: true }, { ...look, ownerAlive: true });
  await handle.look();
  next.push(false);
  await handle.followOwner();
  expect(handle.current?.owner).toBe(false);
});

it('follows an owner that was too busy to answer at first', async () => {
  const { handle, looks, look, disk, next } = machine();
  await handle.begin();
  disk.newest = '1-1.jsonl';
  await handle.followOwner();
  expect(handle.current).toBeNull();
  disk.isOwned = true;
  looks.push({ ...look, ownerAlive: true });
  next.push(false);
  await handle.followOwner();
  expect(handle.current?.owner).toBe(false);
});

it('notices an owner that starts and ends while the window reads the state', async () => {
  const { handle, looks, look, disk } = machine();
  const reads = vi.spyOn(looks, 'shift').mockImplementationOnce(() => {
    disk.newest = '1-1.jsonl';
    return look;
  });
  await handle.begin();
  expect(reads).toHaveBeenCalledOnce();
  looks.push({ ...look, state: stateOf({ jobs: [jobRow({ status: 'completed' })] }) });
  await handle.followOwner();
  expect(handle.state.jobs.size).toBe(1);
});

it('shows the result of an owner that has ended by then, and looks once', async () => {
  const { handle, looks, look, disk, engines } = machine();
  await handle.begin();
  disk.newest = '1-1.jsonl';
  looks.push({ ...look, state: stateOf({ jobs: [jobRow({ status: 'completed' })] }) });
  const reads = vi.spyOn(looks, 'shift');
  await handle.followOwner();
  await handle.followOwner();
  expect(reads).toHaveBeenCalledOnce();
  expect(handle.state.jobs.size).toBe(1);
  expect(engines).toEqual([]);
});

it('looks once at a state that is damaged, and again at one that could not be read', async () => {
  const { handle, disk } = machine();
  await handle.begin();
  Object.assign(disk, { newest: '1-1.jsonl', fault: failure('DISK', 'too many open files') });
  expect(await handle.followOwner()).toBe(false);
  expect(await handle.followOwner()).toBe(false);
  disk.fault = failure('STATE_DAMAGED', 'no such event');
  expect(await handle.followOwner()).toBe(true);
  expect(handle.blocker).toBe('unreadable');
  disk.isOwned = true;
  expect(await handle.followOwner()).toBe(true);
  disk.fault = failure('DISK', 'not asked');
  expect(await handle.followOwner()).toBe(true);
});

it('starts nothing while the window opens an engine', async () => {
  const { handle, disk, gate, opened, engines, troubles } = machine({ state: running });
  const held = Promise.withResolvers<void>();
  gate.open = held.promise;
  const beginning = handle.begin();
  await untilHolds(() => expect(opened).toHaveLength(1));
  Object.assign(disk, { newest: '1-1.jsonl', isOwned: true });
  expect(await handle.followOwner()).toBe(true);
  held.resolve();
  await beginning;
  expect([opened.length, engines.length]).toEqual([1, 1]);
  expect(troubles).toEqual([]);
});

it('does not try again what failed here, though that created a file', async () => {
  const { handle, disk, next, opened, troubles } = machine({ state: running });
  next.push(failure('DISK', 'no space'));
  const files = vi.spyOn(next, 'shift').mockImplementationOnce(() => {
    disk.newest = '1-1.jsonl';
    return failure('DISK', 'no space');
  });
  await handle.begin();
  expect(files).toHaveBeenCalledOnce();
  expect(await handle.followOwner()).toBe(true);
  expect([opened.length, troubles]).toEqual([1, ['no space']]);
});

it('tells once why it cannot follow an owner, and follows it later', async () => {
  const { handle, disk, next, troubles } = machine({ ownerAlive: true });
  Object.assign(disk, { newest: '1-1.jsonl', isOwned: true });
  const unreachable = failure('OWNER_UNREACHABLE', 'it does not answer');
  next.push(unreachable, unreachable, unreachable, false);
  await handle.begin();
  expect(await handle.followOwner()).toBe(false);
  expect(await handle.followOwner()).toBe(false);
  expect(await handle.followOwner()).toBe(true);
  expect(handle.current?.owner).toBe(false);
  expect(troubles).toEqual(['it does not answer']);
});

it('shows without trust when an owner starts and when it ends', async () => {
  const { handle, disk, look, looks, opened } = machine();
  editor.current.trusted = false;
  await handle.begin();
  Object.assign(disk, { newest: '1-1.jsonl', isOwned: true });
  looks.push({ ...look, ownerAlive: true, state: running });
  await handle.followOwner();
  expect(handle.atWork.works).toBe(true);
  await handle.followOwner();
  disk.isOwned = false;
  await handle.followOwner();
  expect(handle.atWork.works).toBe(false);
  expect(opened).toEqual([]);
});

it('checks for no owner without a folder', async () => {
  const { handle, disk, opened } = machine();
  editor.current.folders = [];
  Object.assign(disk, { newest: '1-1.jsonl', isOwned: true });
  expect(await handle.followOwner()).toBe(true);
  expect(opened).toEqual([]);
});
