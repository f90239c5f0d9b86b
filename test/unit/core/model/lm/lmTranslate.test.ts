import { describe, expect, it } from 'vitest';
import { textOfRequest, toLmRequest } from '../../../../../src/core/model/lm/lmTranslate.ts';

const READ = { name: 'read', description: 'Reads.', input_schema: { type: 'object', properties: {} } };

function translated(more: object) {
  const answer = toLmRequest(
    JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }], ...more }),
  );
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.request;
}

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const call = { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } };
const result = { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'body' }] };

describe('messages', () => {
  it('begin with the system prompt, as a user', () => {
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }];
    expect(translated({ system }).messages).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ]);
  });

  it('keep calls and their results', () => {
    const { messages } = translated({ messages: [user({ type: 'text', text: 'go' }), assistant(call), user(result)] });
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', parts: [{ kind: 'call', id: 'a', name: 'read', input: { path: 'x' } }] },
      { role: 'user', parts: [{ kind: 'result', id: 'a', text: 'body' }] },
    ]);
  });

  it('say that a tool failed', () => {
    const { messages } = translated({
      messages: [assistant(call), user({ ...result, content: 'no file', is_error: true })],
    });
    expect(messages[1]?.parts).toEqual([{ kind: 'result', id: 'a', text: 'The tool failed: no file' }]);
  });

  it('make text of a call without its result and of a result without its call', () => {
    const { messages } = translated({ messages: [user(result), assistant(call), user({ type: 'text', text: 'on' })] });
    expect(messages.flatMap(({ parts }) => parts)).toEqual([
      { kind: 'text', text: 'body' },
      { kind: 'text', text: '[called read, without a result]' },
      { kind: 'text', text: 'on' },
    ]);
  });

  it('leave thinking out, with the message that had nothing else', () => {
    const { messages } = translated({
      messages: [assistant({ type: 'thinking', thinking: 'hm', signature: 's' }), user({ type: 'text', text: 'on' })],
    });
    expect(messages).toHaveLength(1);
  });

  it('say what cannot be shown', () => {
    const { messages } = translated({
      messages: [
        user({ type: 'image', source: {} }),
        assistant(call),
        user({ ...result, content: [{ type: 'image' }] }),
      ],
    });
    expect(messages[0]?.parts).toEqual([{ kind: 'text', text: '[image: cannot be shown to this model]' }]);
    expect(messages[2]?.parts).toMatchObject([{ kind: 'result', text: '[image: cannot be shown to this model]' }]);
  });
});

describe('tools', () => {
  it.each([
    [undefined, ['read', 'write'], false],
    [{ type: 'auto' }, ['read', 'write'], false],
    [{ type: 'any' }, ['read', 'write'], true],
    [{ type: 'tool', name: 'read' }, ['read'], true],
    [{ type: 'none' }, [], false],
  ])('with the choice %j', (tool_choice, names, mustCall) => {
    const request = translated({ tools: [READ, { ...READ, name: 'write' }], tool_choice });
    expect(request.tools.map(({ name }) => name)).toEqual(names);
    expect(request.mustCall).toBe(mustCall);
  });

  it('without a schema are refused', () => {
    const body = {
      model: 'm',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ type: 'bash_20250124', name: 'bash' }],
    };
    expect(toLmRequest(JSON.stringify(body))).toEqual({ refused: 'the tool bash has no schema' });
  });
});

it.each([
  '',
  'null',
  '{}',
  '{"model":"m","messages":[]}',
  '{"model":"m","messages":[{"role":"user","content":[{"type":"text"}]}]}',
])('refuses %j', (body) => {
  expect(toLmRequest(body)).toHaveProperty('refused');
});

it('gives all text for counting', () => {
  const text = textOfRequest(translated({ system: 'S', tools: [READ], messages: [assistant(call), user(result)] }));
  expect(text.split('\n')).toEqual(['S', 'read {"path":"x"}', 'body', expect.stringContaining('"Reads."')]);
});
