/** What the gateway lets through, and with which key. */
import { describe, expect, it } from 'vitest';
import { anthropicProvider } from '../../../src/adapters/gateway/wire/messagesWire.ts';
import { printsOf } from '../../../src/core/guard/secretPrints.ts';
import { json, sse, textEvents } from '../../support/provider/scriptedServer.ts';
import { setLimits } from '../../support/state/memoryStore.ts';
import { ask, KEY, OK, outcome, rows, statuses, textOf, world } from '../../support/world/gatewayWorld.ts';

describe('an answer', () => {
  it.each(['x', 'test', 'e', KEY])('comes byte for byte, though it quotes the key %s', async (key) => {
    const events = textEvents(`node --test x ${KEY}`);
    const at = await world([sse(events)], { key });
    const reply = await ask(at);
    expect(await textOf(reply)).toBe(events.join(''));
    expect(statuses(at)).toEqual(['settled']);
    // Who keeps the answer recognizes the key by these; a short one would be found in any text.
    expect(reply.secrets?.length ?? 0).toBe(key === KEY ? printsOf(KEY).length : 0);
  });
});

describe('what does not pass', () => {
  it('other paths and methods', async () => {
    const at = await world([OK]);
    for (const [method, path] of [
      ['GET', '/v1/messages'],
      ['POST', '/v1/models'],
      ['POST', '/v1/messages/../x'],
      ['POST', '/v1/messages?beta=true&x=1'],
      ['POST', '/v1/messages/batches'],
    ] as const) {
      const request = { path, method, headers: {}, body: '{}', sessionId: at.session };
      await expect(at.gateway.call(request, new AbortController().signal)).rejects.toMatchObject({
        code: 'NOT_PERMITTED',
      });
    }
    expect(at.server.seen).toEqual([]);
  });

  it.each([
    ['no max_tokens', { max_tokens: undefined }],
    ['a huge max_tokens', { max_tokens: 1e9 }],
    ['a server thread', { thread: { type: 'create' } }],
    ['fast mode', { speed: 'fast' }],
    ['a fallback model', { fallbacks: 'default' }],
    ['a server tool', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    [
      'an image by URL',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] }] },
    ],
    [
      'a PDF in a tool result',
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'x',
                content: [{ type: 'document', source: { type: 'base64', data: 'x' } }],
              },
            ],
          },
        ],
      },
    ],
  ])('%s', async (_name, more) => {
    const at = await world([OK]);
    await expect(ask(at, more)).rejects.toMatchObject({ code: 'MODEL_REQUEST_REFUSED', details: { by: 'gateway' } });
    expect(rows(at)).toEqual([]);
  });

  it('a model without a price', async () => {
    const at = await world([OK]);
    await expect(ask(at, { model: 'gpt-9' })).rejects.toMatchObject({ code: 'MODEL_UNPRICED' });
    expect(rows(at)).toEqual([]);
  });

  it('a session that is not running', async () => {
    const at = await world([OK]);
    await expect(ask({ ...at, session: 77 })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  });

  it('a call over a limit, before anything leaves', async () => {
    const at = await world([OK]);
    await setLimits(at.store, { callMicroUsd: 10_000 });
    await expect(ask(at, { max_tokens: 2000 })).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      details: { limit: 'call', limitMicroUsd: 10_000 },
    });
    expect(at.server.seen.map(({ url }) => url)).toEqual(['/v1/messages/count_tokens?beta=true']);
    expect(rows(at)).toEqual([]);
  });
});

describe('the key', () => {
  it('replaces every credential that comes from a worker', async () => {
    const at = await world([OK]);
    await textOf(await ask(at));
    const { headers } = at.server.seen[0] ?? { headers: {} };
    expect(headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01' });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  });

  it.each([
    ['', 'KEY_MISSING'],
    ['sk-ant-with\nnewline', 'KEY_REFUSED'],
    ['sk-ant-clé', 'KEY_REFUSED'],
  ])('%j never leaves', async (key, code) => {
    const at = await world([OK], { key });
    const failed = await outcome(ask(at));
    expect(failed).toMatchObject({ code });
    if (key !== '') expect(String(failed)).not.toContain(key);
    expect(at.server.seen).toEqual([]);
    expect(statuses(at)).toEqual(['released']);
  });

  it.each([
    'http://example.com',
    'ftp://127.0.0.1',
    'nonsense',
    'https://user:pw@example.com',
    'https://example.com/?a=b',
  ])('is not sent to %s', (baseUrl) => {
    expect(() => anthropicProvider({ baseUrl, key: async () => KEY })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});

it('counts tokens without booking anything', async () => {
  const at = await world([json(200, { input_tokens: 5 })]);
  const request = {
    path: '/v1/messages/count_tokens',
    method: 'POST',
    headers: {},
    body: '{"model":"m","messages":[]}',
    sessionId: at.session,
  };
  expect(JSON.parse(await textOf(await at.gateway.call(request, new AbortController().signal)))).toEqual({
    input_tokens: 5,
  });
  expect(rows(at)).toEqual([]);
});
