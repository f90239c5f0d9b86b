/** One brief over each wire: planner and worker on different connections, and what each server counted is what the ledger has. */
import { expect, test } from 'vitest';
import type { Usage } from '../../../src/shared/money.ts';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { WIRE_SCRIPTS } from '../../support/provider/wireScripts.ts';
import { type OtherWire, startWireServer } from '../../support/provider/wireServer.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const PRICE = { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 3 };
const ANTHROPICS = { planner: 'claude-opus-5-5', reviewer: 'claude-opus-5-5', summarizer: 'claude-opus-5-5' };

/** By hand, in nano-USD. */
const costOf = ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number =>
  Math.ceil((2_000 * input + 8_000 * output + 500 * cacheRead + 3_000 * (cacheWrite5m + cacheWrite1h)) / 1_000);

/** The responses protocol and Gemini report no writes: those tokens are input like any other. */
const reported = (wire: OtherWire, usage: Usage): Usage =>
  wire === 'chat'
    ? usage
    : { ...usage, input: usage.input + usage.cacheWrite5m + usage.cacheWrite1h, cacheWrite5m: 0, cacheWrite1h: 0 };

const worldWith = (wire: OtherWire, baseUrl: string, apiKey: string): Promise<EngineWorld> =>
  EngineWorld.open({
    connections: {
      other: {
        wire,
        baseUrl,
        auth: wire === 'gemini' ? 'x-goog-api-key' : 'bearer',
        keyEnv: 'OTHER_KEY',
        prices: { 'model-1': PRICE },
      },
    },
    env: { OTHER_KEY: apiKey },
  });

test.each<OtherWire>(['chat', 'responses', 'gemini'])('a worker over the %s wire', async (wire) => {
  const apiKey = `key-of-${wire}-0123456789`;
  const server = await startWireServer({ wire, scenario: ONE_FEATURE, apiKey });
  await using world = await worldWith(wire, server.baseUrl, apiKey);
  try {
    await world.run({ models: { ...ANTHROPICS, worker: 'other/model-1' } });
    const rows = [...world.state.spends.values()].filter(({ provider }) => provider === 'other');
    expect(server.refused).toEqual([]);
    expect(server.requests.length).toBeGreaterThan(1);
    expect(rows.map((row) => row.settled_micro_usd)).toEqual(server.bill.map((usage) => costOf(reported(wire, usage))));
    expect(
      rows.map((row) => row.input_tokens + row.cache_read_tokens + row.cache_write_5m_tokens + row.output_tokens),
    ).toEqual(
      server.bill.map(
        (usage) => usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h + usage.output,
      ),
    );
  } finally {
    await server.close();
  }
});

test.each<OtherWire>(['chat', 'responses', 'gemini'])(
  'an owner that ends in the middle of an answer over the %s wire buys that answer again, and no other',
  async (wire) => {
    const HANGS = 2;
    const { events, half } = WIRE_SCRIPTS[wire];
    const begun = events.slice(0, half).map((line) => JSON.parse(line.slice('data: '.length)) as object);
    const server = await startWireServer({
      wire,
      scenario: ONE_FEATURE,
      // The check of the model is the first request.
      scripted: ({ index }) => (index === HANGS ? { events: begun, end: 'hang' } : undefined),
    });
    await using world = await worldWith(wire, server.baseUrl, 'test-key');
    try {
      await world.submit({ models: { ...ANTHROPICS, worker: 'other/model-1' } });
      await world.until('the answer began', () => server.requests.length > HANGS);
      await world.restart();
      await world.owner.request('resumeJob', { jobId: world.jobId });
      await world.is('completed');
      const bodies = server.requests.map(({ body }) => JSON.stringify(body));
      expect(bodies.filter((body) => body === bodies[HANGS]).length).toBe(2);
      expect(new Set(bodies).size).toBe(bodies.length - 1);
      const rows = [...world.state.spends.values()].filter(({ provider }) => provider === 'other');
      const count = (status: string) => rows.filter((row) => row.status === status).length;
      expect([count('unsettled'), count('settled')]).toEqual([1, server.bill.length]);
    } finally {
      await server.close();
    }
  },
);

test.each<OtherWire>(['chat', 'responses', 'gemini'])(
  'an owner that ends between two calls over the %s wire pays no answer twice',
  async (wire) => {
    const server = await startWireServer({ wire, scenario: ONE_FEATURE });
    await using world = await worldWith(wire, server.baseUrl, 'test-key');
    try {
      await world.submit({ models: { ...ANTHROPICS, worker: 'other/model-1' } });
      // The check of the model is the first request.
      await world.until('the worker was answered', () => server.bill.length > 1);
      await world.restart();
      await world.owner.request('resumeJob', { jobId: world.jobId });
      await world.is('completed');
      const bodies = server.requests.map(({ body }) => JSON.stringify(body));
      expect(new Set(bodies).size).toBe(bodies.length);
      const rows = [...world.state.spends.values()].filter(({ provider }) => provider === 'other');
      expect(rows.filter(({ status }) => status === 'settled').length).toBe(server.bill.length);
      expect(server.refused).toEqual([]);
    } finally {
      await server.close();
    }
  },
);
