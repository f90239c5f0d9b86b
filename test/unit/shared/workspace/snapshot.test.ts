import { expect, it } from 'vitest';
import type { PanelCard, PanelView } from '../../../../src/shared/workspace/panel.ts';
import {
  type Snapshot,
  type SnapshotMessage,
  snapshotPacker,
  snapshotUnpacker,
} from '../../../../src/shared/workspace/snapshot.ts';
import { sampleView } from '../../../../webview-ui/dev/sample.ts';
import { sampleConversation } from '../../../../webview-ui/dev/sampleProjects.ts';
import { sampleTask } from '../../../../webview-ui/dev/sampleTasks.ts';

type Unpack = ReturnType<typeof snapshotUnpacker>;

const bring = (unpack: Unpack, messages: Iterable<SnapshotMessage>): ReturnType<Unpack> =>
  Array.from(messages, unpack).at(-1) ?? null;
const changed = (view: PanelView, id: number): PanelView => ({
  ...view,
  cards: view.cards.map((card) => (card.id === id ? { ...card, costUsd: card.costUsd + 1 } : card)),
});
const parts = (messages: Iterable<SnapshotMessage>): number =>
  [...messages].filter((message) => message.kind === 'part' && message.list === 'cards').length;

it('arrives as it was, whatever changed in between', () => {
  const [packer, unpack] = [snapshotPacker(), snapshotUnpacker()];
  const view = sampleView(1_000);
  const [first, ...others] = view.cards as [PanelCard, ...PanelCard[]];
  const tasks = sampleView(20, 'tasks');
  const views = [
    view,
    tasks,
    { ...tasks, task: sampleTask(tasks, 'task-research', 104, 300) },
    changed(view, 500),
    { ...view, cards: others },
    { ...view, cards: [...others, first] },
    sampleView(0),
    view,
  ];
  for (const [revision, sent] of views.entries()) {
    expect(bring(unpack, packer.pack(revision, sent))).toEqual({ revision, view: sent });
  }
});

it('sends only the parts in which a card changed, and no text twice', () => {
  const packer = snapshotPacker();
  const view = sampleView(1_000);
  expect(parts(packer.pack(1, view))).toBe(8);
  expect(parts(packer.pack(2, view))).toBe(0);
  expect(parts(packer.pack(3, changed(view, 500)))).toBe(1);
  const without = { ...view, cards: view.cards.filter(({ id }) => id !== 300) };
  expect(parts(packer.pack(4, without))).toBe(2);
});

it('leaves cards that did not change the same objects on the page', () => {
  const [packer, unpack] = [snapshotPacker(), snapshotUnpacker()];
  const view = sampleView(300);
  const before = bring(unpack, packer.pack(1, view)) as Snapshot;
  const after = bring(unpack, packer.pack(2, changed(view, 5))) as Snapshot;
  const other = after.view.cards.filter((card, at) => card !== before.view.cards[at]);
  expect(other.map(({ id }) => id)).toEqual([5]);
});

it('sends of projects and of a conversation only what changed, and keeps the rest the same objects', () => {
  const [packer, unpack] = [snapshotPacker(), snapshotUnpacker()];
  const said = sampleConversation(true);
  const view: PanelView = { ...sampleView(20, 'projects'), conversation: said('api-migration', 1_000, 1_000) };
  const before = bring(unpack, packer.pack(1, view)) as Snapshot;
  expect(before).toEqual({ revision: 1, view });
  const messages = view.conversation?.messages.map((one) => (one.id === 900 ? { ...one, read_at: null } : one)) ?? [];
  const other: PanelView = { ...view, conversation: view.conversation && { ...view.conversation, messages } };
  const sent = [...packer.pack(2, other)];
  expect(sent.map((message) => (message.kind === 'part' ? message.list : message.kind))).toEqual([
    'messages',
    'snapshot',
  ]);
  const after = bring(unpack, sent) as Snapshot;
  expect(after.view).toEqual(other);
  expect(after.view.projects).toBe(before.view.projects);
  const changes = after.view.conversation?.messages.filter((one, at) => one !== before.view.conversation?.messages[at]);
  expect(changes?.map(({ id }) => id)).toEqual([900]);
  expect(bring(unpack, packer.pack(3, { ...view, conversation: null }))).toEqual({
    revision: 3,
    view: { ...view, conversation: null },
  });
});

it('is asked for anew by a page that lacks a part, and then comes whole', () => {
  const [packer, unpack] = [snapshotPacker(), snapshotUnpacker()];
  const view = sampleView(300);
  const [, ...rest] = packer.pack(1, view);
  expect(bring(unpack, rest)).toBe('lost');
  packer.forget();
  expect(bring(unpack, packer.pack(2, view))).toEqual({ revision: 2, view });
});

it('is whole for a page that was loaded anew while it was sent', () => {
  const packer = snapshotPacker();
  const view = sampleView(300);
  const half = packer.pack(1, view)[Symbol.iterator]();
  half.next();
  packer.forget();
  const unpack = snapshotUnpacker();
  expect(bring(unpack, { [Symbol.iterator]: () => half })).toBe('lost');
  packer.forget();
  expect(bring(unpack, packer.pack(2, view))).toEqual({ revision: 2, view });
});

it('brings a row whose only change is a field that it did not have before', () => {
  const [packer, unpack] = [snapshotPacker(), snapshotUnpacker()];
  const view = sampleView(20, 'tasks');
  bring(unpack, packer.pack(1, view));
  const still = { ...view, tasks: view.tasks.map((task) => ({ ...task, still: true })) };
  expect(bring(unpack, packer.pack(2, still))).toEqual({ revision: 2, view: still });
  expect(bring(unpack, packer.pack(3, view))).toEqual({ revision: 3, view });
});
