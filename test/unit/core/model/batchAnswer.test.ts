/** The parts of a batch: what is created, how its result is read, and the events of a message. */
import { expect, it } from 'vitest';
import { batchOf, batchResult, batchState, eventsOf } from '../../../../src/core/model/batchAnswer.ts';

const line = (result: unknown, custom_id = 'call'): string => JSON.stringify({ custom_id, result });

it('creates a batch of one request that does not stream', () => {
  expect(batchOf('{"model":"m","stream":true,"max_tokens":1}')).toEqual({
    streams: true,
    prompt: '{"model":"m"}',
    body: '{"requests":[{"custom_id":"call","params":{"model":"m","max_tokens":1}}]}',
  });
  expect(batchOf('{"model":"m"}')?.streams).toBe(false);
  expect(batchOf('[]')).toBeNull();
  expect(batchOf('no JSON')).toBeNull();
});

it('caches its prompt for an hour, and changes no data of tools', () => {
  const cache_control = { type: 'ephemeral' };
  const input = { cache_control };
  const params = {
    system: [{ type: 'text', text: 's', cache_control }],
    tools: [{ name: 't', cache_control }, { name: 'u' }],
    messages: [
      { role: 'user', content: 'text' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'i', name: 't', input }] },
      { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'r', cache_control }] }] },
    ],
  };
  const sent = JSON.parse(batchOf(JSON.stringify(params))?.body ?? '').requests[0].params;
  const hour = { type: 'ephemeral', ttl: '1h' };
  expect(sent).toEqual({
    system: [{ type: 'text', text: 's', cache_control: hour }],
    tools: [{ name: 't', cache_control: hour }, { name: 'u' }],
    messages: [
      params.messages[0],
      params.messages[1],
      {
        role: 'user',
        content: [{ type: 'tool_result', content: [{ type: 'text', text: 'r', cache_control: hour }] }],
      },
    ],
  });
});

it('reads the state of a batch, and of nothing else', () => {
  expect(batchState('{"id":"msgbatch_1","processing_status":"ended"}')).toEqual({ id: 'msgbatch_1', ended: true });
  expect(batchState('{"id":"msgbatch_1","processing_status":"canceling"}')?.ended).toBe(false);
  // An id becomes a part of a path.
  for (const id of ['../models', 'a/b', '', 7]) expect(batchState(JSON.stringify({ id }))).toBeNull();
  expect(batchState('<html>')).toBeNull();
});

it.each<[string, string, unknown]>([
  ['a message', line({ type: 'succeeded', message: { id: 'm' } }), { type: 'message', message: { id: 'm' } }],
  [
    'an error',
    line({ type: 'errored', error: { type: 'error', error: { type: 'overloaded_error' } } }),
    { type: 'error', status: 529, body: '{"type":"error","error":{"type":"overloaded_error"}}' },
  ],
  ['an unknown error', line({ type: 'errored', error: {} }), { type: 'error', status: 500, body: '{}' }],
  ['an expired batch', line({ type: 'expired' }), { type: 'unprocessed', why: 'the batch is expired' }],
  ['a cancelled batch', line({ type: 'canceled' }), { type: 'unprocessed', why: 'the batch is canceled' }],
  ['another call', line({ type: 'succeeded', message: {} }, 'other'), null],
  ['no message', line({ type: 'succeeded' }), null],
  ['no line', '', null],
])('reads %s', (_, text, expected) => {
  expect(batchResult(text)).toEqual(expected);
});

it('sends a message as events, with whole blocks', () => {
  const message = {
    id: 'm',
    content: [{ type: 'tool_use', id: 't', name: 'n', input: { a: 1 } }],
    stop_reason: 'tool_use',
    usage: { output_tokens: 3 },
  };
  const data = [...eventsOf(message).matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ''));
  expect(data).toEqual([
    {
      type: 'message_start',
      message: { id: 'm', content: [], stop_reason: null, stop_sequence: null, usage: { output_tokens: 3 } },
    },
    { type: 'content_block_start', index: 0, content_block: message.content[0] },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]);
});
