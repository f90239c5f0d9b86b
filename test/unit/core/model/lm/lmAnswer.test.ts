import { describe, expect, it } from 'vitest';
import { type AnswerPart, LmAnswer, readPart } from '../../../../../src/core/model/lm/lmAnswer.ts';

const HEAD = { id: 'msg_1', model: 'm', inputTokens: 7, maxTokens: 50 };
const CALL = { kind: 'call', id: 'a', name: 'read', input: { path: 'x' } } as const;

function answerOf(parts: readonly AnswerPart[], outputTokens = 3) {
  const answer = new LmAnswer(HEAD);
  const wire = answer.start() + parts.map((part) => answer.part(part)).join('') + answer.end(outputTokens);
  const events = wire
    .trimEnd()
    .split('\n\n')
    .map((text) => JSON.parse(text.slice(text.indexOf('data: ') + 6)) as Record<string, unknown>);
  return { events, types: events.map(({ type }) => type), message: JSON.parse(answer.message(outputTokens)) as object };
}

it('joins texts that follow one another, and closes the block before a call', () => {
  const { events, types, message } = answerOf([{ kind: 'text', text: 'I ' }, { kind: 'text', text: 'read.' }, CALL]);
  expect(types).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(events.map(({ index }) => index).filter((index) => index !== undefined)).toEqual([0, 0, 0, 0, 1, 1, 1]);
  expect(message).toMatchObject({
    content: [
      { type: 'text', text: 'I read.' },
      { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 7, output_tokens: 3 },
  });
});

it('begins a new text after a call', () => {
  const { message } = answerOf([{ kind: 'text', text: 'a' }, CALL, { kind: 'text', text: 'b' }]);
  expect(message).toMatchObject({ content: [{ text: 'a' }, { type: 'tool_use' }, { text: 'b' }] });
});

describe('the stop reason', () => {
  it.each([
    ['end_turn', [{ kind: 'text', text: 'x' }], 3],
    ['tool_use', [CALL], 3],
    ['max_tokens', [{ kind: 'text', text: 'x' }], 50],
    ['end_turn', [], 0],
  ] as const)('%s', (reason, parts, tokens) => {
    const { events } = answerOf(parts, tokens);
    expect(events.at(-2)).toMatchObject({
      type: 'message_delta',
      delta: { stop_reason: reason },
      usage: { output_tokens: tokens },
    });
  });
});

it.each([
  [{ value: 'x' }, { kind: 'text', text: 'x' }],
  [
    { callId: 'a', name: 'n', input: { b: 1 } },
    { kind: 'call', id: 'a', name: 'n', input: { b: 1 } },
  ],
  [
    { callId: 'a', name: 'n', input: null },
    { kind: 'call', id: 'a', name: 'n', input: {} },
  ],
  [{ callId: 'a', name: 'n', input: 'no' }, null],
  [{ value: { tsx: true } }, null],
  [{ data: new Uint8Array(1), mimeType: 'image/png' }, null],
  ['text', null],
  [null, null],
])('reads the part %j', (part, read) => {
  expect(readPart(part)).toEqual(read);
});
