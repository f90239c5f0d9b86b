/** The gateway as a loopback server: strangers, failures, callers who leave, and the money of all of it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/shared/errors.ts';
import {
  apiError,
  cut,
  hang,
  json,
  message,
  sse,
  textEvents,
  toolEvents,
} from '../../support/provider/scriptedServer.ts';
import { setLimits } from '../../support/state/memoryStore.ts';
import { EVENTS, KEY, OK, rows, statuses, until } from '../../support/world/gatewayWorld.ts';
import { ASK, anotherSession, post, raw, served } from '../../support/world/modelServerWorld.ts';

const CHAT = { model: 'claude-sonnet-5-5', messages: [{ role: 'user', content: 'hi' }] };
const bodyAt = (at: { readonly server: { readonly seen: readonly { readonly body: string }[] } }, call = 0) =>
  JSON.parse(at.server.seen[call]?.body ?? 'null') as Record<string, unknown>;

describe('a call', () => {
  it('streams the Messages API byte for byte, is settled, and the key stays at the gateway', async () => {
    const at = await served([OK]);
    const answer = await post(at.door, '/v1/messages?beta=true', ASK, {
      headers: {
        cookie: 'a=b',
        'content-type': 'text/plain',
        'anthropic-beta': 'effort-2025-11-24,context-1m-2025-08-07',
      },
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toBe(EVENTS.join(''));
    const [seen] = at.server.seen;
    expect(seen).toMatchObject({ url: '/v1/messages?beta=true', body: JSON.stringify(ASK) });
    expect(seen?.headers).toMatchObject({
      'x-api-key': KEY,
      'content-type': 'application/json',
      'anthropic-beta': 'effort-2025-11-24',
    });
    expect(seen?.headers).not.toHaveProperty('cookie');
    expect(JSON.stringify(seen)).not.toContain(at.door.token);
    expect(rows(at)).toMatchObject([{ status: 'settled', settled_micro_usd: 10 * 2 + 20 * 10 }]);
  });

  it('comes in one piece where that is asked, and counts tokens', async () => {
    const at = await served([message('whole'), json(200, { input_tokens: 7 })]);
    const bearer = { 'x-api-key': '', authorization: `Bearer ${at.door.token}` };
    const whole = await post(at.door, '/v1/messages', { ...ASK, stream: false }, { headers: bearer });
    expect(await whole.json()).toMatchObject({ content: [{ text: 'whole' }] });
    const { max_tokens: _, stream: __, ...counted } = ASK;
    expect(await (await post(at.door, '/v1/messages/count_tokens', counted)).json()).toEqual({ input_tokens: 7 });
    expect(statuses(at)).toEqual(['settled']);
  });

  it('is made into one that has a price, and what became different is told once', async () => {
    const at = await served([OK]);
    const tools = [
      { type: 'web_search_20250305', name: 'web_search' },
      { name: 'read', input_schema: { type: 'object' } },
    ];
    const body = { ...ASK, model: 'claude-unknown-9', max_tokens: 128_000, speed: 'fast', tools };
    for (let n = 0; n < 2; n++) expect((await post(at.door, '/v1/messages', body)).status).toBe(200);
    const { speed: _, ...known } = body;
    expect(bodyAt(at, 1)).toEqual({ ...known, model: 'claude-sonnet-5-5', max_tokens: 8_000, tools: tools.slice(1) });
    expect(at.reported).toHaveLength(3);
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } };
    const refused = await post(at.door, '/v1/messages', { ...ASK, messages: [{ role: 'user', content: [pdf] }] });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(at.refused).toEqual([]);
  });

  it('goes to its own model alone where that has no price: its provider knows no other', async () => {
    const at = await served([json(200, { input_tokens: 7 })]);
    const door = at.admit({ model: 'editor-model' });
    for (const model of ['claude-haiku-5-5', 'editor-model'])
      await post(door, '/v1/messages/count_tokens', { model, messages: ASK.messages });
    expect([bodyAt(at), bodyAt(at, 1)]).toMatchObject([{ model: 'editor-model' }, { model: 'editor-model' }]);
    const listed = await fetch(`${door.url}/v1/models`, { headers: { authorization: `Bearer ${door.token}` } });
    expect(await listed.json()).toMatchObject({ data: [{ id: 'editor-model' }], last_id: 'editor-model' });
  });

  it('of a subagent is one of several at once, each booked', async () => {
    const at = await served([OK]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const messages = [{ role: 'user', content: `subagent ${n}` }];
        return (await post(at.door, '/v1/messages', { ...ASK, messages })).text();
      }),
    );
    expect(new Set(answers)).toEqual(new Set([EVENTS.join('')]));
    expect(statuses(at)).toEqual(Array.from({ length: 12 }, () => 'settled'));
  });

  it('of the chat protocol streams, or comes whole', async () => {
    const at = await served([
      sse(toolEvents('add', { a: 2 })),
      sse(textEvents('five', { cache_read_input_tokens: 30 })),
    ]);
    const streamed = await post(at.door, '/v1/chat/completions', { ...CHAT, stream: true });
    const wire = await streamed.text();
    expect(wire).toContain('"finish_reason":"tool_calls"');
    expect(wire.endsWith('data: [DONE]\n\n')).toBe(true);
    const whole = (await (await post(at.door, '/v1/chat/completions', CHAT)).json()) as Record<string, unknown>;
    expect(whole).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'five' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 40, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 30 } },
    });
    expect(bodyAt(at)).toMatchObject({ max_tokens: 8_000, stream: true });
    expect(statuses(at)).toEqual(['settled', 'settled']);
  });
});

describe('who may not ask', () => {
  it('has no token, that of a session that is over, or none of ours', async () => {
    const at = await served([OK]);
    const other = at.admit({ sessionId: await anotherSession(at) });
    await other.close();
    for (const token of ['', 'sk-ant-foreign', other.token, `${at.door.token}x`]) {
      const answer = await post(at.door, '/v1/messages', ASK, { headers: { 'x-api-key': token } });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    }
    const chat = await post(at.door, '/v1/chat/completions', CHAT, { headers: { 'x-api-key': '' } });
    expect(await chat.json()).toMatchObject({ error: { code: 'authentication_error', param: null } });
    expect(at.server.seen).toHaveLength(0);
  });

  it('spends in the name of the session whose token it has, no other', async () => {
    const at = await served([OK]);
    const second = await anotherSession(at);
    await (await post(at.admit({ sessionId: second }), '/v1/messages', ASK)).text();
    expect(rows(at)).toMatchObject([{ session_id: second }]);
  });

  it('reaches it by another name, from a page, or at a path that is none', async () => {
    const at = await served([OK]);
    const headers = { 'x-api-key': at.door.token };
    const statusOf = async (asked: Parameters<typeof raw>[1]) => (await raw(at.door, asked)).status;
    expect(await statusOf({ headers: { ...headers, host: 'evil.example' } })).toBe(403);
    expect(await statusOf({ headers: { ...headers, origin: 'https://evil.example' } })).toBe(403);
    expect(await statusOf({ method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).toBe(403);
    expect(await statusOf({ headers, path: '/v1/files' })).toBe(404);
    expect(await statusOf({ headers, path: '/v1/messages?key=1' })).toBe(404);
    expect(await statusOf({ headers, method: 'GET', path: '/v1/models/%' })).toBe(404);
    const listed = await raw(at.door, { headers, method: 'GET', path: '/v1/models' });
    expect(JSON.parse(listed.text)).toMatchObject({
      object: 'list',
      data: [{ id: 'claude-sonnet-5-5', type: 'model' }, {}, {}, {}, {}],
    });
    expect(at.server.seen).toHaveLength(0);
  });

  it('sends 100 MB, garbage, or nests without end', async () => {
    const at = await served([OK]);
    const headers = { 'x-api-key': at.door.token };
    const declared = { ...headers, expect: '100-continue', 'content-length': String(100 * 1024 * 1024) };
    expect((await raw(at.door, { headers: declared })).status).toBe(413);
    const endless = await new Promise<string>((resolve) => {
      const socket = connect(at.models.port, '127.0.0.1');
      let text = '';
      const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x20), Buffer.from('\r\n')]);
      const pump = (): void => {
        while (text === '' && !socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', pump).on('error', () => socket.destroy());
      socket.on('data', (data) => {
        text += String(data);
      });
      socket.on('close', () => resolve(text));
      const head = ['POST /v1/messages HTTP/1.1', `host: 127.0.0.1:${at.models.port}`, `x-api-key: ${at.door.token}`];
      socket.write([...head, 'transfer-encoding: chunked', '', ''].join('\r\n'), pump);
    });
    expect(endless === '' || endless.startsWith('HTTP/1.1 413')).toBe(true);
    for (const body of ['{', '[]', Buffer.from([0x7b, 0xff]), `{"messages":${'['.repeat(50_000)}`]) {
      expect((await raw(at.door, { headers, body })).status).toBe(400);
    }
    expect(at.refused).toEqual([]);
    expect(at.server.seen).toHaveLength(0);
  });
});

describe('a failure', () => {
  it('of the limits is final, in the form of each protocol, and told once', async () => {
    const at = await served([OK]);
    await setLimits(at.store, { dayMicroUsd: 1 });
    const answer = await post(at.door, '/v1/messages', ASK);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(await answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'permission_error', message: expect.stringMatching(/^the day limit of .* is reached/) },
    });
    const chat = await post(at.door, '/v1/chat/completions', CHAT);
    expect(chat.status).toBe(403);
    expect(await chat.json()).toMatchObject({ error: { code: 'permission_error' } });
    expect(at.refused).toEqual(['LIMIT_REACHED']);
  });

  it.each([
    ['KEY_REFUSED', apiError(401, 'authentication_error', `bad ${KEY}`), 403, 'permission_error'],
    ['MODEL_UNAVAILABLE', apiError(529, 'overloaded_error'), 529, 'overloaded_error'],
    ['MODEL_REQUEST_REFUSED', apiError(404, 'not_found_error'), 404, 'not_found_error'],
  ])('%s is told', async (code, script, status, type) => {
    const at = await served([script]);
    const answer = await post(at.door, '/v1/messages', ASK);
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([status, { error: { type } }]);
    // The minute, and what the gateway's own tries took before.
    expect(answer.headers.get('retry-after')).toBe(status === 529 ? String(60 + 1 + 2 + 4 + 8 + 16) : null);
    expect(text).not.toContain(KEY);
    expect(at.refused).toEqual([code]);
  });

  it("of one request is the agent's own matter", async () => {
    const at = await served([apiError(400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'), OK]);
    const answer = await post(at.door, '/v1/messages', ASK);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('prompt is too long: 9 tokens > 8 maximum') } },
    ]);
    expect(at.refused).toEqual([]);
  });

  it('in mid-stream breaks the answer, in both protocols', async () => {
    const at = await served([cut(EVENTS.slice(0, 4))]);
    for (const [path, body] of [
      ['/v1/messages', ASK],
      ['/v1/chat/completions', { ...CHAT, stream: true }],
    ] as const) {
      const answer = await post(at.door, path, body);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
    }
    expect(statuses(at)).toEqual(['unsettled', 'unsettled']);
    expect(at.refused).toEqual([]);
  });

  it('of a gateway that answers nobody any more ends the connection', async () => {
    const at = await served([OK]);
    await at.gateway.close();
    await expect(post(at.door, '/v1/messages', ASK)).rejects.toThrow();
    expect(at.refused).toEqual(['ABORTED']);
    expect(at.server.seen).toHaveLength(0);
  });
});

describe('a caller who', () => {
  it('leaves in mid-stream ends the call at the provider', async () => {
    const at = await served([hang(EVENTS.slice(0, 4))]);
    const leaving = new AbortController();
    const answer = await post(at.door, '/v1/messages', ASK, { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    await until(() => at.server.hungUp() === 1 && statuses(at)[0] === 'unsettled');
    expect(at.refused).toEqual([]);
  });

  it('reads nothing holds no meter, and is cut off', async () => {
    const long = textEvents('x'.repeat(128 * 1024));
    long.splice(4, 0, ...Array.from({ length: 63 }, () => long[3] ?? ''));
    const at = await served([sse(long)]);
    const answer = await post(at.door, '/v1/messages', ASK);
    await until(() => statuses(at)[0] === 'settled' && at.serverClock.pending === 1);
    at.serverClock.advance(60_000);
    await expect(answer.text()).rejects.toThrow();
    expect(at.refused).toEqual([]);
  });

  it('asks for more at once than a session may is put off', async () => {
    const at = await served([hang(EVENTS.slice(0, 4))]);
    const asked = Array.from({ length: 33 }, () => post(at.door, '/v1/messages', ASK).catch(() => null));
    const first = await Promise.race(
      asked.map(async (one) => ((await one)?.status === 429 ? 'put off' : new Promise(() => undefined))),
    );
    expect(first).toBe('put off');
    await at.door.close();
    const statuses = (await Promise.all(asked)).map((answer) => answer?.status ?? 'closed');
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(at.refused).toEqual([]);
  });

  it('sends more at once than a session may hold is put off', async () => {
    const at = await served([]);
    let reached = 0;
    const silent: typeof fetch = (_url, init) => {
      reached++;
      const left = failure('ABORTED', 'it left');
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(left)));
    };
    const door = at.admit({ fetch: silent });
    const large = JSON.stringify({ ...ASK, messages: [{ role: 'user', content: 'x'.repeat(25_000_000) }] });
    const asked = [1, 2, 3].map(() => post(door, '/v1/messages', large).catch(() => null));
    // It may be gone before it reads why.
    expect([429, undefined]).toContain((await Promise.race(asked))?.status);
    await until(() => reached === 2);
    await door.close();
    await Promise.all(asked);
    expect(reached).toBe(2);
  });

  it('is still sending when the session ends is cut off', async () => {
    const at = await served([OK]);
    const socket = connect(at.models.port, '127.0.0.1');
    const head = ['POST /v1/messages HTTP/1.1', `host: 127.0.0.1:${at.models.port}`, `x-api-key: ${at.door.token}`];
    socket.write([...head, 'content-length: 100', 'expect: 100-continue', '', ''].join('\r\n'));
    await once(socket, 'data');
    socket.write('{"mod');
    const cutOff = new Promise((resolve) => socket.on('error', () => socket.destroy()).on('close', resolve));
    await at.door.close();
    await cutOff;
    expect(at.server.seen).toHaveLength(0);
  });

  it('is in mid-stream when the session ends is cut off, and its call booked by then', async () => {
    const at = await served([hang(EVENTS.slice(0, 4))]);
    const answer = await post(at.door, '/v1/messages', ASK);
    await at.door.close();
    expect(statuses(at)).toEqual(['unsettled']);
    await expect(answer.text()).rejects.toThrow();
    expect((await post(at.door, '/v1/messages', ASK)).status).toBe(401);
    expect(at.refused).toEqual([]);
  });
});
