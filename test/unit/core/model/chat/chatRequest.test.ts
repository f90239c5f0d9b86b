import { describe, expect, it } from 'vitest';
import { passRequest } from '../../../../../src/adapters/gateway/send/request.ts';
import { toMessagesRequest } from '../../../../../src/core/model/chat/chatRequest.ts';
import { anyCharacter, fc } from '../../../../support/suite/property.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const HI = [{ role: 'user', content: 'hi' }];

type Json = Record<string, unknown>;

function translated(chat: Json) {
  const answer = toMessagesRequest(JSON.stringify({ model: 'm', messages: HI, ...chat }), 500);
  if ('refused' in answer) throw new Error(answer.refused);
  return { ...answer, body: JSON.parse(answer.body) as Json };
}

function refusedFor(chat: Json): string {
  const answer = toMessagesRequest(JSON.stringify({ model: 'm', messages: HI, ...chat }), 500);
  return 'refused' in answer ? answer.refused : 'passed';
}

const call = (id: string, name: string, input: string) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
});
const fn = (name: string, more: Json = {}) => ({ type: 'function', function: { name, ...more } });

it('says a conversation with parallel calls, an image and words in between', () => {
  const messages = [
    { role: 'developer', content: 'be brief' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAA=' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('call.1', 'add', '{"a":1}'), call('call_2', 'list', ''), call('c3', 'cut', '{"a":')],
    },
    { role: 'tool', tool_call_id: 'call.1', content: '3' },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'none' }] },
    { role: 'tool', tool_call_id: 'c3', content: ' ' },
    { role: 'system', content: 'hurry' },
    { role: 'assistant', content: 'done' },
    { role: 'user', content: 'thanks' },
  ];
  const { body } = translated({
    messages,
    tools: [fn('add', { description: 'adds', parameters: { properties: {} } }), fn('list')],
  });
  expect(body).toEqual({
    model: 'm',
    max_tokens: 500,
    system: [{ type: 'text', text: 'be brief', ...MARK }],
    tools: [
      { name: 'add', description: 'adds', input_schema: { type: 'object', properties: {} } },
      { name: 'list', input_schema: { type: 'object' } },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAA=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 } },
          { type: 'tool_use', id: 'call_2', name: 'list', input: {} },
          { type: 'tool_use', id: 'c3', name: 'cut', input: { unreadable: '{"a":' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '3' }] },
          { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'none' }] },
          { type: 'tool_result', tool_use_id: 'c3', content: [] },
          { type: 'text', text: 'hurry', ...MARK },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      { role: 'user', content: [{ type: 'text', text: 'thanks', ...MARK }] },
    ],
    stream: true,
  });
});

describe('what shapes the answer', () => {
  it.each([
    [{ max_tokens: 7 }, { max_tokens: 7 }],
    [{ max_tokens: 7, max_completion_tokens: 9 }, { max_tokens: 9 }],
    [{ stop: 'END' }, { stop_sequences: ['END'] }],
    [{ stop: ['\n', 'END'] }, { stop_sequences: ['END'] }],
    [{ temperature: 1.7, top_p: 0.5 }, { temperature: 1 }],
    [{ top_p: 0.5 }, { top_p: 0.5 }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } } },
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    ],
    [{ tools: [fn('a')], tool_choice: 'required' }, { tool_choice: { type: 'any' } }],
    [{ tools: [fn('a')], tool_choice: 'none' }, { tool_choice: { type: 'none' } }],
    [
      { tools: [fn('a')], tool_choice: 'auto', parallel_tool_calls: false },
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    ],
    [{ tools: [fn('a')], tool_choice: fn('a') }, { tool_choice: { type: 'tool', name: 'a' } }],
    [{ tools: [fn('a')] }, { tools: [{ name: 'a', input_schema: { type: 'object' }, ...MARK }] }],
  ])('%j', (chat, expected) => {
    expect(translated(chat).body).toMatchObject(expected);
  });

  it('and what has no counterpart is left out, and said', () => {
    expect(translated({ seed: 1, user: 'u', logit_bias: {} }).warnings).toEqual([
      'the parameter seed of the chat protocol was left out',
      'the parameter logit_bias of the chat protocol was left out',
    ]);
  });
});

describe('what cannot be said is refused', () => {
  it.each([
    [
      'an image by address',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x' } }] }] },
      /image/,
    ],
    [
      'sound',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
      /input_audio cannot/,
    ],
    ['a role of old', { messages: [{ role: 'function', content: 'x' }] }, /role function cannot/],
    ['a result of nothing', { messages: [{ role: 'tool', content: 'x' }] }, /role tool is malformed/],
    ['no message', { messages: [{ role: 'system', content: 'x' }] }, /no message to answer/],
    ['two answers', { n: 2 }, /only one answer/],
    ['another tool', { tools: [{ type: 'web_search' }] }, /not a chat request/],
    ['a format that would not be kept', { response_format: { type: 'json_object' } }, /not a chat request/],
  ])('%s', (_name, chat, reason) => {
    expect(refusedFor(chat)).toMatch(reason);
  });

  it('what is no JSON', () => {
    expect(toMessagesRequest('{', 1)).toHaveProperty('refused');
  });
});

const said = fc.string({ unit: anyCharacter, maxLength: 6 });
const content = fc.oneof(
  said,
  fc.array(
    said.map((text) => ({ type: 'text', text })),
    { maxLength: 2 },
  ),
);
const chatTurn = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'developer', 'user'), content }),
  fc.record({ role: fc.constant('tool'), tool_call_id: said, content }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.option(content),
    tool_calls: fc.array(
      fc.tuple(said, said).map(([id, input]) => call(id, 'f', input)),
      { maxLength: 2 },
    ),
  }),
);

it('any conversation is refused, or one that the gateway prices; its start looks the same when it goes on', () => {
  const bare = (turns: unknown): unknown =>
    JSON.parse(JSON.stringify(turns).replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, ''));
  fc.assert(
    fc.property(fc.array(chatTurn, { minLength: 1, maxLength: 6 }), said, (messages, reply) => {
      const asked = toMessagesRequest(JSON.stringify({ model: 'm', messages }), 100);
      if ('refused' in asked) {
        expect(asked.refused).toBe('there is no message to answer');
        return;
      }
      const request = { path: '/v1/messages', method: 'POST', headers: {}, body: asked.body, sessionId: 1 };
      expect(passRequest(request)).toMatchObject({ kind: 'message', stream: true });
      const { messages: turns, system } = JSON.parse(asked.body) as { messages: readonly Json[]; system?: unknown };
      for (const [at, turn] of turns.entries()) expect(turn['role']).not.toBe(turns[at - 1]?.['role']);
      const later = translated({
        messages: [...messages, { role: 'assistant', content: `a${reply}` }, { role: 'user', content: 'b' }],
      }).body;
      expect(later['system']).toEqual(system);
      const settled = turns.at(-1)?.['role'] === 'user' ? turns : turns.slice(0, -1);
      expect(bare((later['messages'] as Json[]).slice(0, settled.length))).toEqual(bare(settled));
    }),
  );
});
