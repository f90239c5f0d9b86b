/** What projects say: one notification per batch, nothing of what was unread before, and silence for whoever wants it. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { MessageRow } from '../../../../src/shared/project/projects.ts';
import { emptyState, type State } from '../../../../src/shared/workspace/state.ts';
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

const { showMessages } = await import('../../../../src/vscode/project/messages.ts');

/** A window; `show` gives it another state, and time for what it tells. */
function open(rows: readonly MessageRow[] = []) {
  const clock = new FakeClock();
  const changed = new FakeEmitter<void>();
  const engine = { state: stateWith(rows), onDidChange: changed.event };
  showMessages({ engine, log: {} } as unknown as HostContext, clock);
  const show = async (state: State, ms = 5_000): Promise<void> => {
    engine.state = state;
    changed.fire();
    clock.advance(ms);
    await Promise.resolve();
  };
  return { show };
}

function stateWith(rows: readonly MessageRow[]): State {
  const state = stateOf({ messages: rows });
  return { ...state, meta: { ...state.meta, last_seq: 1 } };
}

const said = (id: number, patch: Partial<MessageRow> = {}): MessageRow =>
  messageRow({ id, project_id: 'api-migration', ...patch });

const texts = () => person.told.map(([, text = '']) => text);

beforeEach(() => Object.assign(person, nothingShown()));

it('tells once what came together, by project, and leads to the conversation', async () => {
  const { show } = open();
  person.press = 'Open Conversation';
  await show(stateWith([said(1), said(2)]));
  expect(texts()).toEqual(['api-migration: 2 new messages']);
  await untilHolds(() => expect(person.ran).toEqual([['autonomous.openConversation', { project: 'api-migration' }]]));
});

it('asks which conversation when several projects spoke', async () => {
  const { show } = open();
  person.press = 'Open Conversation';
  await show(stateWith([said(1), said(2, { project_id: 'docs' })]));
  expect(texts()).toEqual(['api-migration: 1 new message, docs: 1 new message']);
  await untilHolds(() => expect(person.ran).toEqual([['autonomous.openConversation']]));
});

it('tells of a storm of messages twice at most in five seconds', async () => {
  const { show } = open();
  const rows = Array.from({ length: 40 }, (_, at) => said(at + 1));
  for (let count = 1; count <= rows.length; count++) await show(stateWith(rows.slice(0, count)), 100);
  await show(stateWith(rows), 5_000);
  expect(person.told.length).toBeLessThanOrEqual(3);
  expect(
    texts()
      .map((text) => Number(/: (\d+)/.exec(text)?.[1]))
      .reduce((a, b) => a + b),
  ).toBe(40);
});

it('says nothing of what is read as it comes, in the conversation that is looked at', async () => {
  const { show } = open();
  await show(stateWith([said(1)]), 500);
  await show(stateWith([said(1, { read_at: '2026-11-02T12:00:00.000Z' })]));
  expect(texts()).toEqual([]);
});

it('says nothing of what was unread when the folder was opened', async () => {
  const { show } = open([said(1)]);
  await show(stateWith([said(1)]));
  // Another folder: first nothing is known of it, then all that it holds.
  await show(emptyState());
  await show(stateWith([said(7, { project_id: 'docs' })]));
  expect(texts()).toEqual([]);
  await show(stateWith([said(7, { project_id: 'docs' }), said(8, { project_id: 'docs' })]));
  expect(texts()).toEqual(['docs: 1 new message']);
});

it('says nothing of what was read meanwhile, of what people write, or of the main agent', async () => {
  const { show } = open();
  const rows = [
    said(1, { read_at: '2026-11-02T12:00:00.000Z' }),
    said(2, { direction: 'in', sender: 'steward' }),
    said(3, { project_id: 'main', sender: 'main' }),
  ];
  await show(stateWith(rows));
  expect(texts()).toEqual([]);
});

it.each([['projects.notify', false] as const, ['notifications', 'none'] as const])(
  'is silent where %s is %s',
  async (name, value) => {
    person.settings = { [name]: value };
    const { show } = open();
    await show(stateWith([said(1)]));
    expect(texts()).toEqual([]);
  },
);
