import { describe, expect, it } from 'vitest';
import { ChatAnswer } from '../../../../../src/core/model/chat/chatAnswer.ts';
import { fc } from '../../../../support/suite/property.ts';

const HEAD = { created: 7, includeUsage: true };

type Json = Record<string, unknown>;

const event = (type: string, data: Json = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const start = (
  usage: Json = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5, cache_creation_input_tokens: 3 },
) => event('message_start', { message: { id: 'msg_1', model: 'm', content: [], usage } });
const block = (index: number, content_block: Json, ...deltas: readonly Json[]) =>
  event('content_block_start', { index, content_block }) +
  deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
  event('content_block_stop', { index });
const text = (index: number, ...parts: readonly string[]) =>
  block(index, { type: 'text', text: '' }, ...parts.map((part) => ({ type: 'text_delta', text: part })));
const tool = (index: number, name: string, ...parts: readonly string[]) =>
  block(
    index,
    { type: 'tool_use', id: `t${index}`, name, input: {} },
    ...parts.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  );
const end = (stop_reason: string) =>
  event('message_delta', { delta: { stop_reason }, usage: { output_tokens: 20 } }) + event('message_stop');

const WHOLE =
  start() +
  event('ping') +
  block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'hm' }) +
  text(1, 'I ', 'réad 🙂') +
  tool(2, 'add', '{"a":', '1}') +
  tool(3, 'list') +
  end('tool_use');

function chunksOf(wire: string): readonly Json[] {
  const lines = wire.split('\n\n').filter((line) => line !== '' && line !== 'data: [DONE]');
  return lines.map((line) => JSON.parse(line.slice(6)) as Json);
}

/** As clients put an answer together. */
function foldedOf(wire: string) {
  const calls: { id: string; function: { name: string; arguments: string } }[] = [];
  let content = '';
  let finish: unknown = null;
  for (const chunk of chunksOf(wire)) {
    for (const choice of chunk['choices'] as readonly Json[]) {
      const delta = choice['delta'] as { content?: string; tool_calls?: readonly Json[] };
      content += delta.content ?? '';
      finish = choice['finish_reason'] ?? finish;
      for (const { index, id, function: part } of delta.tool_calls ?? []) {
        const piece = part as { name: string; arguments: string };
        const known = calls[index as number];
        if (known === undefined) calls[index as number] = { id: String(id), function: { ...piece } };
        else known.function.arguments += piece.arguments;
      }
    }
  }
  return { content, finish, calls };
}

function said(wire: string, head = HEAD) {
  const answer = new ChatAnswer(head);
  const chunks = answer.push(wire);
  return { wire: chunks + answer.end(), completion: JSON.parse(answer.completion()) as Json };
}

it('says text, parallel calls and the usage, streamed as whole', () => {
  const { wire, completion } = said(WHOLE);
  expect(completion).toMatchObject({
    id: 'msg_1',
    object: 'chat.completion',
    created: 7,
    model: 'm',
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          content: 'I réad 🙂',
          tool_calls: [
            { id: 't2', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
            { id: 't3', type: 'function', function: { name: 'list', arguments: '{}' } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 18, completion_tokens: 20, total_tokens: 38, prompt_tokens_details: { cached_tokens: 5 } },
  });
  const [choice] = completion['choices'] as readonly { message: { content: string; tool_calls: readonly Json[] } }[];
  const calls = choice?.message.tool_calls.map(({ id, function: call }) => ({ id, function: call }));
  expect(foldedOf(wire)).toEqual({ content: choice?.message.content, finish: 'tool_calls', calls });
  expect(chunksOf(wire).at(-1)).toMatchObject({ choices: [], usage: completion['usage'] as Json });
  expect(wire.endsWith('data: [DONE]\n\n')).toBe(true);
});

it('says no usage that was not asked for', () => {
  expect(said(WHOLE, { ...HEAD, includeUsage: false }).wire).not.toContain('usage');
});

it.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['refusal', 'content_filter'],
  ['something_new', 'stop'],
])('%s is %s', (reason, finish) => {
  expect(said(start() + text(0, 'x') + end(reason)).completion).toMatchObject({ choices: [{ finish_reason: finish }] });
});

it('takes the input of a call that comes with its start', () => {
  const wire = start() + block(0, { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }) + end('tool_use');
  expect(foldedOf(said(wire).wire).calls).toEqual([{ id: 't', function: { name: 'f', arguments: '{"a":1}' } }]);
});

describe('an answer that is not whole', () => {
  it('never ends as if it were', () => {
    for (let at = 0; at < WHOLE.length - 2; at++) {
      const answer = new ChatAnswer(HEAD);
      answer.push(WHOLE.slice(0, at));
      expect(() => answer.end()).toThrow(expect.objectContaining({ code: 'MODEL_STREAM_BROKEN' }));
      expect(() => answer.completion()).toThrow(expect.objectContaining({ code: 'MODEL_STREAM_BROKEN' }));
    }
  });

  it.each(['data: {"type"\n\n', 'data: 7\n\n', event('error', { error: { type: 'overloaded_error' } })])(
    '%j',
    (wire) => {
      expect(() => new ChatAnswer(HEAD).push(start() + wire)).toThrow(
        expect.objectContaining({ code: 'MODEL_STREAM_BROKEN' }),
      );
    },
  );
});

it('is the same however the stream is cut, also with the line ends of others', () => {
  const cuts = fc.array(fc.nat(WHOLE.length), { maxLength: 12 });
  fc.assert(
    fc.property(cuts, fc.boolean(), (places, carriage) => {
      const wire = carriage ? WHOLE.replaceAll('\n', '\r\n') : WHOLE;
      const answer = new ChatAnswer(HEAD);
      const bounds = [0, ...places.toSorted((a, b) => a - b), wire.length];
      const chunks = bounds.slice(1).map((to, at) => answer.push(wire.slice(bounds[at], to)));
      expect(chunks.join('') + answer.end()).toBe(said(WHOLE).wire);
    }),
  );
});
