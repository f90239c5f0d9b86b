import { describe, expect, it } from 'vitest';
import { type MessageRequest, passRequest } from '../../../../../src/adapters/gateway/send/request.ts';

function pass(body: Record<string, unknown>): MessageRequest {
  const whole = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...body };
  const passed = passRequest({
    path: '/v1/messages',
    method: 'POST',
    headers: {},
    body: JSON.stringify(whole),
    sessionId: 1,
  });
  if (passed.kind !== 'message') throw new Error('not a message');
  return passed;
}

const EPHEMERAL = { type: 'ephemeral' };

describe('the dearest cache write', () => {
  it.each([
    ['none', {}],
    ['5m', { cache_control: EPHEMERAL }],
    ['5m', { system: [{ type: 'text', text: 'x', cache_control: EPHEMERAL }] }],
    ['1h', { tools: [{ name: 'a', input_schema: {}, cache_control: { ...EPHEMERAL, ttl: '1h' } }] }],
    [
      '1h',
      {
        system: [{ type: 'text', text: 'x', cache_control: EPHEMERAL }],
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'x',
                content: [{ type: 'text', text: 'x', cache_control: { ...EPHEMERAL, ttl: '1h' } }],
              },
            ],
          },
        ],
      },
    ],
  ])('is %s for %j', (write, body) => {
    expect(pass(body).cacheWrite).toBe(write);
  });
});

describe('the input bound', () => {
  it('counts the bytes of text, and an image by what it may cost, not by its data', () => {
    const plain = pass({}).inputBound;
    expect(pass({ system: 'é'.repeat(1000) }).inputBound).toBeGreaterThanOrEqual(plain + 2000);
    const image = (data: string) =>
      pass({
        messages: [
          { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] },
        ],
      }).inputBound;
    expect(image('A'.repeat(1_000_000))).toBe(image('A'));
    expect(image('A')).toBeGreaterThan(plain + 9000);
  });

  it('is not fooled by files in what a tool of the provider found', () => {
    const file = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'A' } };
    const found = {
      type: 'web_fetch_tool_result',
      tool_use_id: 'x',
      content: { type: 'web_fetch_result', content: file },
    };
    expect(() => pass({ messages: [{ role: 'user', content: [found] }] })).toThrow('no known price');
  });

  it('is not fooled by what a tool was called with', () => {
    const messages = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'x', name: 'y', input: { type: 'image', source: { type: 'url' } } }],
      },
    ];
    expect(() => pass({ messages })).not.toThrow();
  });

  it('bounds a large conversation by all that it holds', () => {
    const messages = Array.from({ length: 400 }, () => ({
      role: 'user',
      content: [{ type: 'text', text: 'x'.repeat(10_000) }],
    }));
    expect(pass({ messages }).inputBound).toBeGreaterThan(4_000_000);
  });
});

it.each([
  [0, {}],
  [0, { output_config: { effort: 'medium' } }],
  [32_000, { output_config: { effort: 'xhigh' } }],
  [0, { output_config: { effort: 'much' } }],
  [2_000, { thinking: { type: 'enabled', budget_tokens: 2_000 }, output_config: { effort: 'xhigh' } }],
  [null, { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
])('keeps %j tokens of an answer for the thinking that %j asks for', (thinking, body) => {
  expect(pass(body).thinking).toBe(thinking);
});

it('counts the same prompt that it sends', () => {
  const { countBody } = pass({
    system: 'be brief',
    temperature: 0,
    stream: true,
    tools: [{ name: 'a', input_schema: {} }],
  });
  expect(JSON.parse(countBody)).toEqual({
    model: 'm',
    system: 'be brief',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ name: 'a', input_schema: {} }],
  });
});
