/** How a conversation's file ends, on real files: an answer that asks for nothing, or anything that must be looked into. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastEntry, openConversation } from '../../../src/adapters/files/conversationFile.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { isAnswer } from '../../../src/engine/project/talk/conversationEnd.ts';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import { type StateFolder, stateFolder } from '../../support/state/stateFolder.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';

let state: StateFolder;
beforeEach(() => {
  state = stateFolder();
});
afterEach(() => state[Symbol.dispose]());

const options = (projectId = 'api') => ({
  folder: join(state.root, 'session'),
  projectId,
  ops: nodeFiles,
  seal: lineSeal(state.key, 'transcript'),
});

const endsWithAnswer = async (of = options()): Promise<boolean> => isAnswer(await lastEntry(of));

async function append(...entries: readonly TranscriptEntry[]): Promise<void> {
  const journal = await openConversation({ ...options(), epoch: 1, clock: new FakeClock() });
  for (const entry of entries) await journal.append(entry);
  await journal.close();
}

const reply = (stop_reason: string, ...content: readonly object[]): TranscriptEntry => ({
  kind: 'reply',
  message: { content, stop_reason, usage: { input_tokens: 1, output_tokens: 1 } },
});
const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) });
const ANSWER = reply('end_turn', text(9));
const TURN: TranscriptEntry = { kind: 'user', text: 'message 1', messages: [1] };

test('no file at all', async () => {
  expect(await endsWithAnswer()).toBe(false);
});

test('an answer, also one without a word', async () => {
  await append(TURN, ANSWER);
  expect(await endsWithAnswer()).toBe(true);
  await append(TURN, reply('end_turn'));
  expect(await endsWithAnswer()).toBe(true);
});

test.for([
  ['a turn that has no answer', TURN],
  ['calls of tools', reply('tool_use', text(1), { type: 'tool_use', id: 'a', name: 'notify', input: {} })],
  ['an answer that was cut off', reply('max_tokens', text(1))],
  ['an end that may not have been said', { kind: 'ended', reason: 'refusal', detail: 'no' }],
  ['an answer that is too long to be looked at', reply('end_turn', text(70_000))],
] as const)('%s', async ([, entry]) => {
  await append(TURN, ANSWER, entry);
  expect(await endsWithAnswer()).toBe(false);
});

test('an answer that is torn, damaged, or of another project', async () => {
  await append(TURN, ANSWER);
  const file = join(state.root, 'session', 'current.jsonl');
  const whole = readFileSync(file);
  expect(await endsWithAnswer(options('web'))).toBe(false);
  truncateSync(file, whole.length - 1);
  expect(await endsWithAnswer()).toBe(false);
  writeFileSync(file, whole.toString('utf8').replace('xxx', 'yyy'));
  expect(await endsWithAnswer()).toBe(false);
  writeFileSync(file, whole);
  expect(await endsWithAnswer()).toBe(true);
  appendFileSync(file, '\n');
  expect(await endsWithAnswer()).toBe(false);
});
