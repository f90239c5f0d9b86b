import { beforeEach, expect, test } from 'vitest';
import { hasOpenTurn, unfinishedConversations } from '../../../../src/core/project/conversations.ts';
import type { MessageRow } from '../../../../src/shared/project/projects.ts';
import type { Role } from '../../../../src/shared/session.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

let clock: FakeClock;
let store: Awaited<ReturnType<typeof openMemoryStore>>;

beforeEach(async () => {
  clock = new FakeClock();
  store = await openMemoryStore(clock);
  await commit({ type: 'project_created', project: { id: 'a', model: null, workdir: null } });
});

async function commit(draft: EventDraft): Promise<void> {
  clock.advance(10);
  await store.commit(draft);
}

async function say(direction: 'in' | 'out', sender: MessageRow['sender'] = 'steward'): Promise<number> {
  const [id = 0] = store.nextIds('messages', 1);
  const about = { concerns: null, relayed_from: null, session_id: null };
  const message = { id, project_id: 'a', direction, sender, text: 'x', ...about } as const;
  await commit({ type: 'message_sent', message });
  return id;
}

const read = (up_to: number) => commit({ type: 'messages_read', project_id: 'a', direction: 'in', up_to });

async function begin(role: Role = 'project'): Promise<void> {
  const about = { job_id: null, project_id: 'a', role, model: 'claude-sonnet-5-5', phase_id: null, notes: [] };
  await commit({ type: 'session_started', id: 1, ...about });
}

async function reserve(): Promise<number> {
  const [id = 0] = store.nextIds('spends', 1);
  const call = { provider: 'simulated', model: 'claude-sonnet-5-5', day: '2026-11-21', micro_usd: 1 } as const;
  await commit({ type: 'call_reserved', id, session_id: 1, ...call, price_version: '1' });
  return id;
}

async function answer(tool_calls: number): Promise<void> {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  await commit({ type: 'call_settled', id: await reserve(), usage, micro_usd: 1, tool_calls });
}

const unfinished = (): string[] => [...unfinishedConversations(store.state)];

test('nothing was ever said: nothing to do', () => {
  expect(unfinished()).toEqual([]);
});

test('a message that no conversation holds', async () => {
  await say('in');
  expect(unfinished()).toEqual(['a']);
});

test('a message that is held, until its answer ends without a tool', async () => {
  const id = await say('in');
  await begin();
  await read(id);
  expect(unfinished()).toEqual(['a']);
  await answer(1);
  expect(unfinished()).toEqual(['a']);
  await reserve();
  expect(unfinished()).toEqual(['a']);
  await answer(0);
  // The answer is in the journal, and still to be delivered.
  expect(unfinished()).toEqual(['a']);
  await say('out', 'project');
  expect(unfinished()).toEqual([]);
});

test('a turn that nobody asked owes no answer', async () => {
  const id = await say('in', 'engine');
  await begin();
  await read(id);
  await answer(0);
  expect(unfinished()).toEqual([]);
});

test('another message that came after the last answer', async () => {
  await read(await say('in'));
  await begin();
  await answer(0);
  await read(await say('in'));
  expect(unfinished()).toEqual(['a']);
});

test('an answer of the main agent that is no message yet', async () => {
  await read(await say('in'));
  await begin('main');
  await answer(0);
  expect(unfinished()).toEqual(['a']);
  await say('out', 'main');
  expect(unfinished()).toEqual([]);
});

test('a session that is over', async () => {
  await begin();
  await commit({
    type: 'session_ended',
    session: { id: 1, status: 'completed', error_message: null, turns: 1 },
  });
  expect(unfinished()).toEqual([]);
});

test('a turn that was stopped is over, until the next message', async () => {
  await begin();
  await read(await say('in'));
  await answer(1);
  expect(unfinished()).toEqual(['a']);
  await commit({ type: 'turn_ended', project_id: 'a', up_to: 1, by: 'steward' });
  expect(unfinished()).toEqual([]);
  const next = await say('in');
  expect(unfinished()).toEqual(['a']);
  await read(next);
  await reserve();
  expect(unfinished()).toEqual(['a']);
});

test('a turn is open from its message to its answer, unless it was stopped or the project is parked', async () => {
  const isOpen = () => hasOpenTurn(store.state, 'a');
  expect(isOpen()).toBe(false);
  const id = await say('in', 'engine');
  expect(isOpen()).toBe(true);
  await commit({ type: 'turn_ended', project_id: 'a', up_to: id, by: 'steward' });
  expect(isOpen()).toBe(false);
  await begin();
  await read(await say('in', 'engine'));
  await answer(1);
  expect(isOpen()).toBe(true);
  await commit({ type: 'project_parked', project_id: 'a', reason: 'no repository', approval: null });
  expect(isOpen()).toBe(false);
  await commit({ type: 'project_unparked', project_id: 'a' });
  await answer(0);
  expect(isOpen()).toBe(false);
  expect(hasOpenTurn(store.state, 'b')).toBe(false);
});
