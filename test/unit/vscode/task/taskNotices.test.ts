/** What tasks say: by its level, several at once as one, nothing of what was said before, and silence for whoever wants it. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { MessageRow } from '../../../../src/shared/project/projects.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { FakeEmitter } from '../../../support/editor/fakeEditor.ts';
import { nothingShown } from '../../../support/editor/noticeEditor.ts';
import { messageRow, stateOf } from '../../../support/state/builders.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const { person, editor } = await vi.hoisted(async () =>
  (await import('../../../support/editor/noticeEditor.ts')).noticeEditor(),
);
vi.mock('vscode', () => editor);

const { showNotices } = await import('../../../../src/vscode/task/taskNotices.ts');

function open(rows: readonly MessageRow[] = []) {
  const clock = new FakeClock();
  const changed = new FakeEmitter<void>();
  const requests: unknown[] = [];
  const request = async (...requested: unknown[]): Promise<void> => void requests.push(requested);
  const engine = { state: stateWith(rows), onDidChange: changed.event, request };
  showNotices({ engine, log: {} } as unknown as HostContext, clock);
  const show = async (...all: readonly MessageRow[]): Promise<void> => {
    engine.state = stateWith(all);
    changed.fire();
    clock.advance(5_000);
    await Promise.resolve();
  };
  return { show, requests };
}

function stateWith(rows: readonly MessageRow[]): State {
  const state = stateOf({ messages: rows });
  return { ...state, meta: { ...state.meta, last_seq: 1 } };
}

const said = (id: number, patch: Partial<MessageRow> = {}): MessageRow =>
  messageRow({
    id,
    project_id: 'api',
    sender: 'task',
    task_id: 'task-1',
    level: 'info',
    text: `Notice ${id}`,
    ...patch,
  });

beforeEach(() => Object.assign(person, nothingShown()));

it.each([
  ['info', 'info'],
  ['success', 'info'],
  ['warning', 'warning'],
  ['error', 'error'],
] as const)('shows a notice that is %s as %s, with what leads to its task', async (level, as) => {
  const { show, requests } = open();
  person.press = 'Report';
  await show(said(1, { level }));
  expect(person.told).toEqual([[as, 'Notice 1', 'Show', 'Report']]);
  await untilHolds(() => expect(person.ran).toEqual([['autonomous.taskReport', { taskId: 'task-1' }]]));
  expect(requests).toEqual([['markRead', { project: 'api', upTo: 1 }]]);
});

it('tells several at once as one, as grave as the gravest', async () => {
  const { show } = open();
  await show(said(1), said(2, { level: 'warning' }));
  await show(said(1), said(2), said(3), said(4, { task_id: 'task-2', level: 'error' }));
  await show(...[5, 6, 7, 8].map((id) => said(id)));
  expect(person.told).toEqual([
    ['warning', 'Notice 1 · Notice 2', 'Show', 'Report'],
    ['error', '2 notices of 2 tasks', 'Show'],
    ['info', 'Notice 6 · Notice 7 · Notice 8 (4 notices)', 'Show', 'Report'],
  ]);
});

it('marks nothing read that the project itself said and nobody saw', async () => {
  const { show, requests } = open();
  person.press = 'Show';
  await show(messageRow({ id: 1, project_id: 'api' }), said(2));
  await untilHolds(() => expect(person.ran).toHaveLength(1));
  expect(requests).toEqual([]);
});

it('says nothing of what was said before, of what projects say, or where nobody wants it', async () => {
  const { show } = open([said(1)]);
  await show(said(1), messageRow({ id: 2, project_id: 'api' }));
  person.settings = { notifications: 'approvals' };
  await show(said(1), said(3));
  expect(person.told).toEqual([]);
});
