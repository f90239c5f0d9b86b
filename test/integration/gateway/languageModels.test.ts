/** The editor's language models behind the real gateway, read by the real SDK; only the editor is a fake. */
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../../src/adapters/gateway/door/gateway.ts';
import { providersFor } from '../../../src/app/open/model/models.ts';
import type { Gateway } from '../../../src/engine/session/gatewayPorts.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { JobOptions } from '../../../src/shared/job/rows.ts';
import { languageModelProvider } from '../../../src/vscode/model/provider.ts';
import {
  type FakeLanguageModels,
  fakeLanguageModels,
  languageModelError,
} from '../../support/editor/fakeLanguageModels.ts';
import { addJob, addSession, openMemoryStore } from '../../support/state/memoryStore.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';

interface World {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly session: number;
}

const open: Gateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

const LIMITS = { calls: 10, tokens: 100_000 };

async function world(
  fake: FakeLanguageModels | null,
  options: Partial<JobOptions> = { unpricedLimits: LIMITS },
): Promise<World> {
  const clock = new FakeClock({ skipSleeps: true });
  const store = await openMemoryStore(clock);
  await addJob(store, 'a', { provider: 'vscode-lm', ...options });
  const session = await addSession(store, 'a');
  const injected = fake === null ? {} : { 'vscode-lm': languageModelProvider(fake.editor) };
  const providerOf = providersFor(() => store.state, { key: () => null, baseUrl: null }, clock, null, injected);
  const gateway = createGateway({ ledger: store, clock, providerOf, random: () => 0.5 });
  open.push(gateway);
  return { gateway, store, session };
}

const READ = { name: 'read', description: 'Reads.', input_schema: { type: 'object' } } as const;
const BODY = { model: 'test/fake-1', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] } as const;

function call(
  { gateway, session }: World,
  more: object = {},
  signal = new AbortController().signal,
  path = '/v1/messages',
) {
  const body = JSON.stringify({ ...BODY, ...more });
  return gateway.call(
    { path, method: 'POST', headers: { 'content-type': 'application/json' }, body, sessionId: session },
    signal,
  );
}

/** As a session would ask: the SDK over the gateway. */
async function message(at: World, more: object = {}) {
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async (_url, init) => {
      const reply = await call(at, JSON.parse(String(init?.body)) as object);
      return new Response(reply.body, { status: reply.status, headers: reply.headers });
    },
  });
  return client.messages.stream({ ...BODY, messages: [...BODY.messages], tools: [READ], ...more }).finalMessage();
}

const rows = ({ store }: World) => [...store.state.spends.values()];

describe('an answer', () => {
  it('comes as the Messages API gives it, and is booked in calls and tokens', async () => {
    const fake = fakeLanguageModels(['I read ', 'it.', { callId: 'c1', name: 'read', input: { path: 'x' } }]);
    const at = await world(fake);
    expect(await message(at, { system: 'Be brief.' })).toMatchObject({
      content: [
        { type: 'text', text: 'I read it.' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'x' } },
      ],
      stop_reason: 'tool_use',
    });
    expect(fake.asked[0]?.messages).toMatchObject([
      { role: 'user', content: [{ value: 'Be brief.' }] },
      { role: 'user', content: [{ value: 'hi' }] },
    ]);
    expect(fake.asked[0]?.options).toMatchObject({
      tools: [{ name: 'read', inputSchema: { type: 'object' } }],
      toolMode: 1,
    });
    expect(rows(at)).toMatchObject([
      {
        provider: 'vscode-lm',
        status: 'settled',
        reserved_micro_usd: 0,
        settled_micro_usd: 0,
        price_version: 'unpriced',
      },
    ]);
    expect(rows(at)[0]?.output_tokens).toBeGreaterThan(0);
  });

  it('takes the result of a call', async () => {
    const fake = fakeLanguageModels(['done']);
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'body' }] },
    ];
    await message(await world(fake), { messages });
    expect(fake.asked[0]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ callId: 'c1', name: 'read' }] },
      { role: 'user', content: [{ callId: 'c1', content: [{ value: 'body' }] }] },
    ]);
  });

  it('in one piece is a message too', async () => {
    const at = await world(fakeLanguageModels(['yes']));
    const reply = await call(at);
    expect(await new Response(reply.body).json()).toMatchObject({
      type: 'message',
      content: [{ text: 'yes' }],
      stop_reason: 'end_turn',
    });
    expect(rows(at)).toMatchObject([{ status: 'settled' }]);
  });

  it('that fills its room was cut', async () => {
    const at = await world(fakeLanguageModels(['x'.repeat(400)]));
    expect(await message(at)).toMatchObject({ stop_reason: 'max_tokens' });
  });

  it('that breaks off fails, and stays counted', async () => {
    const at = await world(fakeLanguageModels(['I beg', new Error('gone')]));
    await expect(message(at)).rejects.toThrow();
    expect(rows(at)).toMatchObject([{ status: 'unsettled', reason: expect.stringContaining('cut') }]);
  });

  it('is given up when the session ends', async () => {
    const fake = fakeLanguageModels('hang');
    const at = await world(fake);
    const stop = new AbortController();
    const reader = (await call(at, { stream: true }, stop.signal)).body.getReader();
    await reader.read();
    stop.abort();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(fake.asked[0]?.cancelled).toBe(true);
    expect(rows(at)).toMatchObject([{ status: 'unsettled' }]);
  });
});

it('costs nothing when the session ends before the model was asked', async () => {
  const stop = new AbortController();
  const fake = fakeLanguageModels(['never']);
  const [model] = await fake.editor.lm.selectChatModels();
  Object.assign(model ?? {}, {
    countTokens: async () => {
      stop.abort();
      return 1;
    },
  });
  const at = await world(fake);
  await expect(call(at, {}, stop.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(fake.asked).toEqual([]);
  expect(rows(at)).toMatchObject([{ status: 'released' }]);
});

it('counts tokens with the model, and books nothing', async () => {
  const at = await world(fakeLanguageModels());
  const reply = await call(at, {}, undefined, '/v1/messages/count_tokens');
  expect(await new Response(reply.body).json()).toEqual({ input_tokens: 1 });
  expect(rows(at)).toEqual([]);
});

describe('a call is refused', () => {
  it('without limits of calls and tokens', async () => {
    await expect(call(await world(fakeLanguageModels(['x']), {}))).rejects.toMatchObject({ code: 'MODEL_UNPRICED' });
  });

  it.each([
    ['calls', { calls: 1, tokens: 100_000 }],
    ['tokens', { calls: 9, tokens: 102 }],
  ])('over the limit of %s', async (limit, unpricedLimits) => {
    const at = await world(fakeLanguageModels(['one'], ['two']), { unpricedLimits });
    const first = call(at);
    if (limit === 'calls') await first;
    else await first.catch(() => undefined);
    await expect(call(at)).rejects.toMatchObject({ code: 'LIMIT_REACHED', details: { limit, resetsAt: null } });
  });

  it.each([
    ['NoPermissions', 'KEY_REFUSED'],
    ['NotFound', 'MODEL_REQUEST_REFUSED'],
    ['Blocked', 'MODEL_UNAVAILABLE'],
    ['Other', 'MODEL_UNAVAILABLE'],
  ])('when the editor says %s', async (said, code) => {
    const errors = Array.from({ length: 20 }, () => languageModelError(said));
    await expect(call(await world(fakeLanguageModels(...errors)))).rejects.toMatchObject({ code });
  });

  it('for a model that is not there', async () => {
    const refused = { code: 'MODEL_REQUEST_REFUSED', details: { status: 404 } };
    await expect(call(await world(fakeLanguageModels()), { model: 'nobody' })).rejects.toMatchObject(refused);
  });

  it('for a prompt longer than the model takes', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(10_000) }];
    await expect(call(await world(fakeLanguageModels()), { messages })).rejects.toMatchObject({
      code: 'MODEL_REQUEST_REFUSED',
    });
  });

  it('outside the editor, and nobody else answers', async () => {
    await expect(call(await world(null))).rejects.toMatchObject({ code: 'KEY_MISSING' });
  });
});
