/** Each wire against an independent counterpart, which was recorded from the providers: a text, a call of a tool, and the tool's result. */
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionProvider } from '../../../src/adapters/gateway/wire/connectionProvider.ts';
import { withPreset } from '../../../src/adapters/userData/knownConnections.ts';
import { AutonomousError } from '../../../src/shared/errors.ts';
import type { Wire as AnyWire, Connection } from '../../../src/shared/model/connections.ts';
import { ask, outcome, rows, world } from '../../support/world/gatewayWorld.ts';

const TERMS = {
  'mock/model-1': { tiers: [{ upTo: null, input: 1, output: 2, cacheRead: 0.1 }], window: null, source: 'test' },
};
/** It does not speak as Vertex AI does. */
type Wire = Exclude<AnyWire, 'vertex'>;
const PREFIX: Readonly<Record<Wire, string>> = { messages: '', chat: '/v1', responses: '/v1', gemini: '/v1beta' };
const TOOLS = [
  {
    name: 'read',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  },
];

/** By the names of each protocol. */
const usage = {
  ...{ input_tokens: 40, output_tokens: 7, total_tokens: 47 },
  ...{ prompt_tokens: 40, completion_tokens: 7 },
  ...{ promptTokenCount: 40, candidatesTokenCount: 7, totalTokenCount: 47 },
};

const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  mock.on(
    { userMessage: 'read it', hasToolResult: false },
    { toolCalls: [{ name: 'read', arguments: '{"path":"a.ts"}' }], usage },
  );
  mock.on({ userMessage: 'read it', hasToolResult: true }, { content: 'It says hello.', usage });
  await mock.start();
});
afterAll(() => mock.stop());

async function over(wire: Wire) {
  const connection = withPreset('mock', { wire, baseUrl: mock.url + PREFIX[wire], keyEnv: 'KEY' }) as Connection;
  const provider = connectionProvider({ connection, key: async () => 'test-key', proxy: null });
  const at = await world([], { providerOf: () => provider });
  Object.assign(at.store.state.jobs.get('a')?.options ?? {}, { terms: TERMS });
  const answer = async (messages: readonly object[]) => {
    const text = await outcome(ask(at, { model: 'mock/model-1', stream: false, tools: TOOLS, messages }));
    if (text instanceof AutonomousError) throw text;
    return JSON.parse(text) as { content: { type: string; id?: string }[]; stop_reason: string };
  };
  return { at, answer };
}

test.each<Wire>(['messages', 'chat', 'responses', 'gemini'])('the %s wire', async (wire) => {
  const { at, answer } = await over(wire);
  const question = { role: 'user', content: 'read it' };
  const called = await answer([question]);
  const use = called.content.find(({ type }) => type === 'tool_use');
  expect([called.stop_reason, use]).toMatchObject(['tool_use', { name: 'read', input: { path: 'a.ts' } }]);

  const result = { type: 'tool_result', tool_use_id: use?.id, content: 'hello' };
  const told = await answer([
    question,
    { role: 'assistant', content: called.content },
    { role: 'user', content: [result] },
  ]);
  expect(told.content).toContainEqual(expect.objectContaining({ type: 'text', text: 'It says hello.' }));
  expect(rows(at).map(({ status, provider }) => [status, provider])).toEqual([
    ['settled', 'mock'],
    ['settled', 'mock'],
  ]);
  // 40 tokens of input and 7 of output, twice.
  expect(rows(at).map((row) => [row.input_tokens, row.output_tokens, row.settled_micro_usd])).toEqual([
    [40, 7, 54],
    [40, 7, 54],
  ]);
});
