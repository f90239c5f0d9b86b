/** The real SDK against the simulated model over HTTP: tools, streams, caching, money and faults. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import type { BetaMessage } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { betaEditTool, betaReadTool, betaWriteTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/app/assets/scenarios.ts';
import { formatAssignment } from '../../../src/shared/workspace/assignment.ts';
import { type Fault, type MessagesServer, startMessagesServer } from '../../support/provider/messagesServer.ts';
import { smallScenario } from '../../support/provider/simulatedRequests.ts';

const demo = await loadScenario('demo');
let server: MessagesServer;
let workdir: string;

beforeEach(async () => {
  workdir = await mkdtemp(join(tmpdir(), 'autonomous-sdk-'));
});
afterEach(async () => {
  await server.close();
  await rm(workdir, { recursive: true, force: true, maxRetries: 3 });
});

const clientOf = ({ url, apiKey }: MessagesServer) =>
  new Anthropic({ baseURL: url, apiKey, maxRetries: 0, logLevel: 'off' });

/** A tool that only answers, and remembers what it was asked. */
function listener(name: string, heard: unknown[]) {
  return betaTool({
    name,
    description: name,
    inputSchema: { type: 'object' },
    run: async (input) => {
      heard.push(input);
      return `${name}: fine`;
    },
  });
}

describe('the tool runner', () => {
  test('does a whole attempt of the demo, and both sides count the same money', async () => {
    server = await startMessagesServer({ scenario: demo });
    const heard: unknown[] = [];
    const opening = formatAssignment({
      role: 'worker',
      phase: 'Formulas',
      feature: 'Tokens',
      featureId: 4,
      attempt: 1,
    });
    const runner = clientOf(server).beta.messages.toolRunner({
      model: 'claude-sonnet-5-5',
      max_tokens: 8_000,
      stream: true,
      thread: false,
      cache_control: { type: 'ephemeral' },
      system: [{ type: 'text', text: 'You work. '.repeat(600), cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: `${opening}\nDo it.` }],
      tools: [
        betaReadTool({ workdir }),
        betaWriteTool({ workdir }),
        betaEditTool({ workdir }),
        ...['bash', 'note', 'notes'].map((name) => listener(name, [])),
        listener('report', heard),
      ],
    });
    const replies: BetaMessage[] = [];
    for await (const stream of runner) {
      replies.push(await stream.finalMessage());
      if (heard.length > 0 || replies.at(-1)?.content.some((block) => 'name' in block && block.name === 'report'))
        break;
    }
    expect(await readFile(join(workdir, 'src/tokens.js'), 'utf8')).toContain('export function tokenize(formula)');
    expect(replies.at(-1)?.content).toMatchObject([
      { type: 'thinking' },
      { type: 'tool_use', name: 'report', input: { outcome: 'done' } },
    ]);
    expect(replies[0]?.content).toMatchObject([{ type: 'thinking' }, { type: 'text' }, {}]);
    const reported = replies.map(({ usage }) => ({
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens,
      cacheWrite5m: usage.cache_creation?.ephemeral_5m_input_tokens,
      cacheWrite1h: usage.cache_creation?.ephemeral_1h_input_tokens,
    }));
    expect(server.bill.map(({ usage }) => usage)).toEqual(reported);
    expect(reported[0]).toMatchObject({ cacheRead: 0 });
    expect(reported.slice(1).every(({ cacheRead }) => (cacheRead ?? 0) > 1_024)).toBe(true);
    expect(server.bill.every(({ answered, cut, microUsd }) => answered && !cut && microUsd > 0)).toBe(true);
  });
});

describe('faults', () => {
  const scenario = smallScenario({
    features: { F: { attempts: [{ turns: [{ text: 'Words of a reply.', calls: [{ tool: 'notes' }] }] }] } },
  });
  const opening = formatAssignment({ role: 'worker', phase: 'P', feature: 'F', featureId: 1, attempt: 1 });
  const params = {
    model: 'claude-haiku-5-5',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: opening }],
  };

  async function streamed(fault: Fault | null, signal?: AbortSignal): Promise<BetaMessage> {
    server = await startMessagesServer({ scenario, faults: fault === null ? {} : { 0: fault } });
    return clientOf(server).beta.messages.stream(params, { signal }).finalMessage();
  }

  test('none: the whole message', async () => {
    expect(await streamed(null)).toMatchObject({ model: 'claude-haiku-5-5', stop_reason: 'tool_use' });
    expect(server.bill).toMatchObject([{ index: 0, answered: true, cut: false }]);
  });

  test('an HTTP error with its headers, not billed', async () => {
    const call = streamed({ kind: 'status', status: 429, headers: { 'retry-after': '7' } });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 429, error: { error: { type: 'rate_limit_error' } } });
    expect(error instanceof APIError ? error.headers?.get('retry-after') : null).toBe('7');
    expect(server.bill).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test.each<Fault>([
    { kind: 'refuse' },
    { kind: 'cut', afterEvents: 0 },
    { kind: 'cut', afterEvents: 4 },
    { kind: 'errorEvent', afterEvents: 4, type: 'overloaded_error' },
    { kind: 'malformedEvent', afterEvents: 4 },
  ])('$kind breaks the call', async (fault) => {
    await expect(streamed(fault)).rejects.toThrow();
    expect(server.bill.filter(({ answered }) => answered)).toEqual([]);
  });

  test('a cut comes exactly after the events that it says', async () => {
    server = await startMessagesServer({ scenario, faults: { 0: { kind: 'cut', afterEvents: 3 } } });
    const { body } = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': server.apiKey },
      body: JSON.stringify({ ...params, stream: true }),
    });
    let received = '';
    const read = async () => {
      for await (const chunk of body ?? []) received += Buffer.from(chunk).toString('utf8');
    };
    await expect(read()).rejects.toThrow();
    expect(received.match(/^event: \w+$/gm)).toEqual([
      'event: message_start',
      'event: content_block_start',
      'event: content_block_delta',
    ]);
  });

  test('a stall lasts until somebody gives up, and counts as cut', async () => {
    const controller = new AbortController();
    server = await startMessagesServer({ scenario, faults: { 0: { kind: 'stall', afterEvents: 4 } } });
    const stream = clientOf(server).beta.messages.stream(params, { signal: controller.signal });
    stream.on('streamEvent', () => controller.abort());
    await expect(stream.finalMessage()).rejects.toThrow();
    await expect.poll(() => server.bill).toMatchObject([{ answered: false, cut: true }]);
  });

  test('another stop reason, a delay, and JSON that ends in the middle', async () => {
    server = await startMessagesServer({
      scenario,
      faults: {
        0: { kind: 'stopReason', stopReason: 'refusal' },
        1: { kind: 'delay', ms: 20 },
        2: { kind: 'malformedJson' },
      },
    });
    const client = clientOf(server);
    expect(await client.beta.messages.create(params)).toMatchObject({ stop_reason: 'refusal' });
    expect(await client.beta.messages.create(params)).toMatchObject({ stop_reason: 'tool_use' });
    await expect(client.beta.messages.create(params)).rejects.toThrow();
    expect(server.bill.map(({ answered }) => answered)).toEqual([true, true, false]);
  });

  test('by predicate; counting tokens is answered and costs nothing', async () => {
    server = await startMessagesServer({
      scenario,
      faults: ({ body }) => (body.includes('haiku') ? { kind: 'status', status: 529 } : null),
    });
    const client = clientOf(server);
    await expect(client.beta.messages.create(params)).rejects.toMatchObject({ status: 529 });
    await client.beta.messages.create({ ...params, model: 'claude-opus-5-5' });
    const { max_tokens: _, ...counted } = params;
    expect((await client.beta.messages.countTokens(counted)).input_tokens).toBeGreaterThan(10);
    expect(server.bill).toHaveLength(1);
  });

  test('a wrong key and an unpriced model are refused', async () => {
    server = await startMessagesServer({ scenario });
    const stranger = new Anthropic({ baseURL: server.url, apiKey: 'wrong', maxRetries: 0 });
    await expect(stranger.beta.messages.create(params)).rejects.toMatchObject({ status: 401 });
    await expect(clientOf(server).beta.messages.create({ ...params, model: 'nope' })).rejects.toMatchObject({
      status: 404,
    });
  });
});
