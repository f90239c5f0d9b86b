/** What servers of other protocols get wrong, through the gateway: what the session receives, and what is booked. */
import { expect, test } from 'vitest';
import { connectionProvider } from '../../../src/adapters/gateway/wire/connectionProvider.ts';
import { withPreset } from '../../../src/adapters/userData/knownConnections.ts';
import { INVALID_ARGUMENTS } from '../../../src/core/model/invalidArguments.ts';
import { AutonomousError } from '../../../src/shared/errors.ts';
import type { Connection } from '../../../src/shared/model/connections.ts';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { type OtherWire, type Scripted, startWireServer, type WireRequest } from '../../support/provider/wireServer.ts';
import { ask, outcome, rows, world } from '../../support/world/gatewayWorld.ts';

const PRICED = { tiers: [{ upTo: null, input: 1, output: 2, cacheRead: 0.1 }], window: null, source: 'test' };
const TERMS = { 'other/m': PRICED, 'other/gpt-4.1': PRICED };
const TOOLS = [
  {
    name: 'read',
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];
const WIRES: readonly OtherWire[] = ['chat', 'responses', 'gemini'];

async function over(
  wire: OtherWire,
  scripted: (request: WireRequest) => Scripted | undefined,
  key?: (fresh: boolean) => string,
) {
  const server = await startWireServer({ wire, scenario: ONE_FEATURE, scripted });
  const auth = wire === 'gemini' ? 'x-goog-api-key' : 'bearer';
  const connection = withPreset('other', { wire, baseUrl: server.baseUrl, auth, keyEnv: 'KEY' }) as Connection;
  const provider = connectionProvider({
    connection,
    key: async (fresh) => key?.(fresh) ?? 'test-key',
    proxy: null,
  });
  const at = await world([], { providerOf: () => provider, termsNow: async () => TERMS });
  // The job was filed with these terms.
  const job = at.store.state.jobs.get('a');
  if (job !== undefined) Object.assign(job.options, { terms: TERMS });
  return { ...at, server, [Symbol.asyncDispose]: () => server.close() };
}

type World = Awaited<ReturnType<typeof over>>;

const asked = (at: World, more: Record<string, unknown> = {}, signal?: AbortSignal) =>
  outcome(ask(at, { model: 'other/m', tools: TOOLS, ...more }, signal));

/** The whole answer, of a request that does not stream. */
async function message(at: World): Promise<{ content: { type: string }[]; stop_reason: string }> {
  const text = await asked(at, { stream: false });
  if (text instanceof AutonomousError) throw text;
  return JSON.parse(text) as Awaited<ReturnType<typeof message>>;
}

const uses = ({ content }: Awaited<ReturnType<typeof message>>) => content.filter(({ type }) => type === 'tool_use');

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const usage = (more: object = {}) => ({
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, ...more },
});
const call = (more: object, name = 'read', args = '{"path":"a"}') => ({
  ...more,
  type: 'function',
  function: { name, arguments: args },
});
const chat =
  (...events: readonly (object | string)[]) =>
  () => ({ events });
const calls = (...tool_calls: object[]) => chunk({ tool_calls });

test.each<[string, readonly object[], readonly object[]]>([
  ['without an index', [calls(call({ id: 'x' }))], [{ id: 'x', input: { path: 'a' } }]],
  ['without an id', [calls(call({ index: 0 }))], [{ input: { path: 'a' } }]],
  [
    'interleaved and in parts',
    [
      calls(call({ index: 0, id: 'x' }, 'read', '{"pa'), call({ index: 1, id: 'y' }, 'read', '{"path":')),
      calls({ index: 1, function: { arguments: '"b"}' } }, { index: 0, function: { arguments: 'th":"a"}' } }),
    ],
    [
      { id: 'x', input: { path: 'a' } },
      { id: 'y', input: { path: 'b' } },
    ],
  ],
])('calls of tools %s', async (_, events, expected) => {
  await using at = await over('chat', chat(...events, chunk({}, 'tool_calls'), usage()));
  const answer = await message(at);
  expect(uses(answer)).toMatchObject(expected);
  expect(answer.stop_reason).toBe('tool_use');
  expect(new Set(uses(answer).map((use) => (use as { id?: string }).id)).size).toBe(expected.length);
});

test('stop with a call of a tool means the call', async () => {
  await using at = await over('chat', chat(calls(call({ index: 0, id: 'x' })), chunk({}, 'stop'), usage()));
  expect((await message(at)).stop_reason).toBe('tool_use');
});

test.each([
  ['that fit after a repair are repaired, and the repair is marked', "{'path': 'a',}", { path: 'a' }, 2],
  ['that fit in no way become an error for the model', '{"pfad": "a"', { [INVALID_ARGUMENTS]: '{"pfad": "a"' }, 1],
  ['that are a text become an error for the model', 'read a', { [INVALID_ARGUMENTS]: 'read a' }, 1],
] as const)('arguments %s', async (_, args, input, blocks) => {
  await using at = await over(
    'chat',
    chat(calls(call({ index: 0, id: 'x' }, 'read', args)), chunk({}, 'tool_calls'), usage()),
  );
  const answer = await message(at);
  expect(uses(answer)).toMatchObject([{ input }]);
  expect(answer.content.length).toBe(blocks);
});

test('arguments of an answer that was cut are not repaired', async () => {
  await using at = await over(
    'chat',
    chat(calls(call({ index: 0, id: 'x' }, 'read', '{"path": "a')), chunk({}, 'length'), usage()),
  );
  const answer = await message(at);
  expect([answer.stop_reason, uses(answer)]).toMatchObject(['max_tokens', [{ input: {} }]]);
});

test('cached tokens are counted once, and writes that the package drops too', async () => {
  const details = { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } };
  await using at = await over('chat', chat(chunk({ content: 'hi' }), chunk({}, 'stop'), usage(details)));
  await asked(at);
  expect(rows(at)).toMatchObject([
    { input_tokens: 10, cache_read_tokens: 60, cache_write_5m_tokens: 30, output_tokens: 10 },
  ]);
});

test('reasoning that is counted beside the answer is paid', async () => {
  await using at = await over('chat', chat(chunk({ content: 'hi' }), chunk({}, 'stop'), usage({ total_tokens: 150 })));
  await asked(at);
  expect(rows(at)).toMatchObject([{ input_tokens: 100, output_tokens: 50 }]);
});

test.each([
  ['m', ['reasoning.encrypted_content']],
  ['gpt-4.1', undefined],
])('nothing is stored at the provider, and %s is asked for what it can return', async (model, include) => {
  await using at = await over('responses', () => undefined);
  await asked(at, { model: `other/${model}` });
  expect(at.server.requests[0]?.body).toMatchObject({ store: false });
  expect(at.server.requests[0]?.body['include']).toEqual(include);
});

test('the cost that a gateway states of its own call is booked', async () => {
  await using at = await over('chat', chat(chunk({ content: 'hi' }), chunk({}, 'stop'), usage({ cost: 0.0123456 })));
  await asked(at);
  expect(rows(at)).toMatchObject([{ status: 'settled', settled_micro_usd: 12_346 }]);
});

test('a stated cost of zero means unknown: the price counts', async () => {
  await using at = await over('chat', chat(chunk({ content: 'hi' }), chunk({}, 'stop'), usage({ cost: 0 })));
  await asked(at);
  expect(rows(at)).toMatchObject([{ status: 'settled', settled_micro_usd: 120 }]);
});

test('without a usage, the highest possible cost stays counted', async () => {
  await using at = await over('chat', chat(chunk({ content: 'hi' }), chunk({}, 'stop')));
  expect(await asked(at)).toContain('hi');
  expect(rows(at)).toMatchObject([{ status: 'unsettled' }]);
});

test('a gateway that swaps the model: the whole reservation is booked, and it is reported', async () => {
  await using at = await over(
    'chat',
    chat(
      { ...chunk({ content: 'hi' }), model: 'other-model' },
      { ...chunk({}, 'stop'), model: 'other-model' },
      { ...usage(), model: 'other-model' },
    ),
  );
  await asked(at);
  expect(rows(at)).toMatchObject([{ status: 'unsettled', reason: 'other-model has no price here' }]);
});

test.each([
  [
    'an error with status 200',
    chat({ error: { message: 'The number of tokens exceeds the context length (n_ctx 4096)', type: 'x' } }),
  ],
  ['status 400', () => ({ status: 400, body: '{"error":{"message":"maximum context length is 4096 tokens"}}' })],
])('a prompt that is too long, as %s, is refused as such', async (_, scripted) => {
  await using at = await over('chat', scripted);
  expect(await asked(at)).toMatchObject({ code: 'MODEL_REQUEST_REFUSED', details: { unfit: 'too_long' } });
  expect(rows(at)).toMatchObject([{ status: 'released' }]);
});

test.each(WIRES)('429 with Retry-After is waited for on the %s wire, and nothing is paid for it', async (wire) => {
  await using at = await over(wire, ({ index }) =>
    index === 0
      ? { status: 429, headers: { 'retry-after': '7' }, body: '{"error":{"message":"slow down"}}' }
      : undefined,
  );
  await asked(at, { messages: [{ role: 'user', content: 'hi' }] });
  expect(at.server.requests.length).toBe(2);
  expect(rows(at).map(({ status }) => status)).toEqual(['released', 'settled']);
  expect(at.log.events.some((event) => event.type === 'wait_begun' && event.reason.includes('slow down'))).toBe(true);
});

const CUT: Readonly<Record<OtherWire, readonly object[]>> = {
  chat: [chunk({ content: 'half of ' })],
  responses: [
    { type: 'response.created', response: { id: 'r', object: 'response', created_at: 1, model: 'm' } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'message', id: 'i', role: 'assistant', content: [], status: 'in_progress' },
    },
    {
      type: 'response.output_text.delta',
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      delta: 'half of ',
      logprobs: [],
    },
  ],
  gemini: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'half of ' }] }, index: 0 }], modelVersion: 'm' },
  ],
};

test.each(WIRES)('a cut stream on the %s wire is no whole answer, and may have been billed', async (wire) => {
  await using at = await over(wire, () => ({ events: CUT[wire], end: 'cut' }));
  expect(await asked(at)).toMatchObject({ code: 'MODEL_STREAM_BROKEN' });
  expect(rows(at)).toMatchObject([{ status: 'unsettled' }]);
});

test.each(WIRES)('a stream that ends without its end on the %s wire is no whole answer', async (wire) => {
  await using at = await over(wire, () => ({ events: CUT[wire] }));
  expect(await asked(at)).toMatchObject({ code: 'MODEL_STREAM_BROKEN' });
});

const BEGUN: Readonly<Record<OtherWire, readonly object[]>> = {
  chat: [calls(call({ index: 0, id: 'x' }, 'read', '{"pa'))],
  responses: [CUT.responses[0] ?? {}],
  gemini: [
    {
      candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }],
      usageMetadata: { promptTokenCount: 20_000, candidatesTokenCount: 900, totalTokenCount: 20_900 },
    },
  ],
};

test.each(WIRES)('an answer that breaks before its first word on the %s wire may have been billed', async (wire) => {
  await using at = await over(wire, () => ({ events: BEGUN[wire] }));
  expect(await asked(at)).toMatchObject({ code: 'MODEL_STREAM_BROKEN' });
  expect(rows(at)).toMatchObject([{ status: 'unsettled' }]);
});

test.each([true, false])(
  'a connection that is lost before the first word is retried by the session: streams %s',
  async (stream) => {
    await using at = await over('chat', () => ({ events: [chunk({ role: 'assistant' })], end: 'cut' }));
    expect(await asked(at, { stream })).toMatchObject({ code: 'MODEL_STREAM_BROKEN' });
    expect(rows(at)).toMatchObject([{ status: 'unsettled' }]);
  },
);

test('long arguments of a tool are noticed while they come', async () => {
  const pieces = Array.from({ length: 20 }, () => calls({ index: 0, function: { arguments: ' ' } }));
  const events = [
    calls(call({ index: 0, id: 'x' }, 'read', '{"path":"a"')),
    ...pieces,
    calls({ index: 0, function: { arguments: '}' } }),
  ];
  await using at = await over('chat', chat(...events, chunk({}, 'tool_calls'), usage()));
  const text = String(await asked(at));
  expect(text.split('event: ping').length).toBeGreaterThan(20);
  expect(text.indexOf('message_start')).toBeLessThan(text.indexOf('event: ping'));
});

test('a model without a price whose gateway states costs is held by the limits of money', async () => {
  await using at = await over('chat', chat(chunk({ content: 'hi' }), chunk({}, 'stop'), usage({ cost: 0.6 })));
  const job = at.store.state.jobs.get('a');
  Object.assign(job?.options ?? {}, {
    terms: {},
    unpricedLimits: { calls: 100, tokens: 1_000_000 },
    budgetMicroUsd: 1_000_000,
  });
  expect(await asked(at)).toContain('hi');
  expect(await asked(at)).toMatchObject({ code: 'LIMIT_REACHED' });
  expect(rows(at).map((row) => row.settled_micro_usd)).toEqual([600_000]);
});

test('no tokens at all are no usage', async () => {
  const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  await using at = await over('chat', chat(chunk({ content: 'hi' }), chunk({}, 'stop'), usage(none)));
  await asked(at);
  expect(rows(at)).toMatchObject([{ status: 'unsettled' }]);
});

test('an answer whose reasoning exceeds its limit is paid as reported', async () => {
  await using at = await over(
    'chat',
    chat(chunk({ content: 'hi' }), chunk({}, 'stop'), usage({ completion_tokens: 5_000, total_tokens: 5_100 })),
  );
  await asked(at);
  expect(rows(at)).toMatchObject([{ status: 'settled', output_tokens: 5_000, settled_micro_usd: 10_100 }]);
});

test('a key that expires at night is read again, once', async () => {
  const keys: boolean[] = [];
  const key = (fresh: boolean): string => {
    keys.push(fresh);
    return keys.includes(true) ? 'test-key' : 'expired';
  };
  await using at = await over('chat', () => undefined, key);
  expect(await asked(at)).not.toBeInstanceOf(AutonomousError);
  expect(keys).toEqual([false, true, false]);
});

test('a key that is refused again is not sent a third time', async () => {
  await using at = await over(
    'chat',
    () => undefined,
    () => 'wrong',
  );
  expect(await asked(at)).toMatchObject({ code: 'KEY_REFUSED' });
  expect(at.server.requests.length).toBe(1);
});
