/** Jobs whose roles are answered by different connections, over HTTP: who was asked, with which key, and what was booked. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { type MessagesServer, startMessagesServer } from '../../support/provider/messagesServer.ts';
import { startPortkey } from '../../support/provider/portkey.ts';
import { startWireServer, type WireRequest } from '../../support/provider/wireServer.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const PRICE = { input: 4, output: 20, cacheRead: 0.2 };
const MODELS = {
  planner: 'claude-opus-5-5',
  worker: 'team/claude-opus-5-5',
  reviewer: 'claude-opus-5-5',
  summarizer: 'claude-opus-5-5',
};

const brokenCall = {
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      delta: {
        tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'write', arguments: 'not json' } }],
      },
      finish_reason: null as string | null,
    },
  ],
};

/** A company's gateway beside the provider. It sells a model of the same name, so that its bill can be checked. */
async function withGateway(entry: object, apiKey = 'key-of-the-team-0123456789') {
  const team = await startMessagesServer({ scenario: ONE_FEATURE, apiKey });
  const world = await EngineWorld.open({
    connections: { team: { preset: 'gateway', baseUrl: team.url, auth: 'x-api-key', keyEnv: 'TEAM_KEY', ...entry } },
    env: { TEAM_KEY: apiKey },
  });
  return {
    world,
    team,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await team.close();
    },
  };
}

const billed = ({ bill }: MessagesServer): number => bill.reduce((sum, { microUsd }) => sum + microUsd, 0);
const spent = ({ state }: EngineWorld, provider: string): number =>
  [...state.spends.values()]
    .filter((row) => row.provider === provider)
    .reduce((sum, row) => sum + row.settled_micro_usd, 0);

test('a planner and a worker of two connections merge one brief, and both bills are the ledger’s', async () => {
  await using given = await withGateway({
    prices: { 'claude-opus-5-5': PRICE },
    headers: { 'X-Team': 'header-secret-12345678' },
  });
  const { world, team } = given;
  await world.run({ models: MODELS });

  expect(team.bill.length).toBeGreaterThan(0);
  // The list of models has no body.
  const asked = team.requests.filter(({ body }) => body !== '');
  expect(new Set(team.requests.map(({ headers }) => headers['x-team']))).toEqual(new Set(['header-secret-12345678']));
  expect(new Set(asked.map(({ body }) => (JSON.parse(body) as { model: string }).model))).toEqual(
    new Set(['claude-opus-5-5']),
  );
  expect(world.server.requests.some(({ headers }) => 'x-team' in headers)).toBe(false);
  expect([spent(world, 'team'), spent(world, 'anthropic')]).toEqual([billed(team), billed(world.server)]);
  expect(new Set([...world.state.spends.values()].map(({ provider, model }) => `${provider} ${model}`))).toEqual(
    new Set(['anthropic claude-opus-5-5', 'team team/claude-opus-5-5']),
  );
  expect(world.job.options.terms?.['team/claude-opus-5-5']).toMatchObject({ tiers: [{ input: 4 }], window: 1_000_000 });
});

test('a real gateway in between relays a whole brief, by the headers that choose its provider', async () => {
  const team = await startMessagesServer({ scenario: ONE_FEATURE, apiKey: 'key-of-the-team-0123456789' });
  await using portkey = await startPortkey();
  const headers = { 'x-portkey-provider': 'anthropic', 'x-portkey-custom-host': `${team.url}/v1` };
  await using world = await EngineWorld.open({
    connections: { team: { preset: 'gateway', baseUrl: portkey.url, auth: 'x-api-key', keyEnv: 'TEAM_KEY', headers } },
    env: { TEAM_KEY: team.apiKey },
  });
  try {
    await world.run({ models: MODELS });
    expect(team.bill.length).toBeGreaterThan(1);
    expect(spent(world, 'team')).toBe(billed(team));
  } finally {
    await team.close();
  }
});

test('a model without a price runs under limits of calls and tokens, and costs nothing in the ledger', async () => {
  await using given = await withGateway({});
  const { world, team } = given;
  const models = { ...MODELS, worker: 'team/qwen3:8b' };
  await world.run({ models, budgetMicroUsd: null });

  expect(world.job.options.unpricedLimits).toEqual({ calls: 1_000, tokens: 20_000_000 });
  const rows = [...world.state.spends.values()].filter(({ provider }) => provider === 'team');
  expect(rows.length).toBe(team.bill.length);
  expect(rows.every((row) => row.price_version === 'unpriced' && row.settled_micro_usd === 0)).toBe(true);
  expect(rows.some((row) => row.output_tokens > 0)).toBe(true);
});

test('a connection that is removed while a job uses it: the job asks, and continues when it is there again', async () => {
  await using given = await withGateway({ prices: { 'claude-opus-5-5': PRICE } });
  const { world } = given;
  const file = join(world.places.configDir, 'connections.yaml');
  await world.submit({ models: MODELS, gates: ['plan'] });
  await world.is('awaiting_steward');
  const { readFileSync, writeFileSync } = await import('node:fs');
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  const [plan] = [...world.state.approvals.values()];
  await world.owner.request('decide', { approvalId: plan?.id ?? 0, decision: 'approved' });
  const asked = await world.until('the job asks for the connection', () =>
    [...world.state.approvals.values()].find(({ status, kind }) => status === 'pending' && kind === 'provider'),
  );
  expect(asked.question).toContain('there is no connection named team');
  writeFileSync(file, text, { mode: 0o600 });
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
});

test('a brief with an unknown connection is refused before anything is filed', async () => {
  await using world = await EngineWorld.open();
  const filed = world.submit({ models: { worker: 'nowhere/x' } });
  await expect(filed).rejects.toMatchObject({
    code: 'NOT_READY',
    message: expect.stringContaining('no connection named nowhere'),
  });
  expect(world.state.jobs.size).toBe(0);
});

/** A server on this machine that was started with a context of so many tokens, and a worker of it. */
async function localWorld(n_ctx: number) {
  const states = { '/props': { default_generation_settings: { n_ctx } } };
  const server = await startWireServer({ wire: 'chat', scenario: ONE_FEATURE, states });
  const local = { preset: 'llamacpp', wire: 'chat' as const, baseUrl: server.baseUrl, keyEnv: 'LOCAL_KEY', free: true };
  const world = await EngineWorld.open({ connections: { local }, env: { LOCAL_KEY: 'test-key' } });
  await world.submit({ models: { ...MODELS, worker: 'local/m' } });
  return {
    world,
    server,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

test('a server that reads too little of a prompt is refused with the command that raises it', async () => {
  await using given = await localWorld(4_096);
  const { world } = given;
  const asked = await world.until('the job asks about the model', () =>
    [...world.state.approvals.values()].find(({ status, kind }) => status === 'pending' && kind === 'provider'),
  );
  expect(asked.question).toContain('its server reads 4096 tokens of a prompt; 16000 are needed');
  expect(asked.detail).toContain('llama-server -c 65536');
  expect(world.server.bill).toEqual([]);
});

test('a worker with a small context has shorter answers and fewer tools, and does its work', async () => {
  await using given = await localWorld(32_768);
  const { world, server } = given;
  await world.is('completed');
  expect(world.job.options.terms?.['local/m']).toMatchObject({ window: 32_768 });
  const work = server.requests.filter(({ body }) => !JSON.stringify(body).includes('code word'));
  const tools = work.map(({ body }) =>
    (body['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name),
  );
  expect(work.length).toBeGreaterThan(1);
  expect(new Set(work.map(({ body }) => body['max_tokens']))).toEqual(new Set([8_192]));
  expect(new Set(tools.flat())).toContain('report');
  expect(new Set(tools.flat())).not.toContain('explore');
});

/** A local server whose model is checked, and one answer by which it fails the check. */
async function checkedWorld(callsTools: boolean, env = {}) {
  const server = await startWireServer({ wire: 'chat', scenario: ONE_FEATURE, callsTools });
  const world = await EngineWorld.open({
    connections: { local: { wire: 'chat', baseUrl: server.baseUrl, keyEnv: 'LOCAL_KEY', free: true } },
    env: { LOCAL_KEY: 'test-key', ...env },
  });
  const checks = () => server.requests.filter(({ body }) => JSON.stringify(body).includes('code word')).length;
  return {
    world,
    server,
    checks,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

test('a worker that calls no tools is refused before the planner is paid, and the answer is quoted', async () => {
  await using given = await checkedWorld(false);
  const { world } = given;
  await world.submit({ models: { ...MODELS, worker: 'local/m' } });
  const asked = await world.until('the job asks about the model', () =>
    [...world.state.approvals.values()].find(({ status, kind }) => status === 'pending' && kind === 'provider'),
  );
  expect(asked.question).toContain(
    'the model local/m cannot do the work: it was asked to call a tool, and answered: "I cannot call tools."',
  );
  expect(world.server.bill).toEqual([]);
  const [first] = [...world.state.spends.values()];
  expect(first).toMatchObject({ provider: 'local', status: 'settled', settled_micro_usd: 0 });
});

test('a model that passed is checked again by no later job and no later owner', async () => {
  await using given = await checkedWorld(true);
  const { world, checks } = given;
  const brief = { models: { ...MODELS, worker: 'local/m' } };
  await world.run(brief);
  expect(checks()).toBe(1);
  await world.restart();
  await world.submit(brief);
  await world.until('the worker of the next job was asked', () =>
    [...world.state.spends.values()].some(({ provider, job_id }) => provider === 'local' && job_id === world.jobId),
  );
  expect(checks()).toBe(1);
});

test('a worker whose arguments are never valid JSON is told twice, and then the job asks', async () => {
  const broken = (request: WireRequest) =>
    JSON.stringify(request.body).includes('code word')
      ? undefined
      : { events: [brokenCall, { ...brokenCall, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }] };
  const server = await startWireServer({ wire: 'chat', scenario: ONE_FEATURE, scripted: broken });
  await using world = await EngineWorld.open({
    connections: { local: { wire: 'chat', baseUrl: server.baseUrl, keyEnv: 'LOCAL_KEY', free: true } },
    env: { LOCAL_KEY: 'test-key' },
  });
  try {
    await world.submit({ models: { ...MODELS, worker: 'local/m' } });
    const asked = await world.until('the job asks about the model', () =>
      [...world.state.approvals.values()].find(({ status, kind }) => status === 'pending' && kind === 'provider'),
    );
    expect(asked.question).toContain('the model cannot call tools: its arguments were not valid JSON 3 times in a row');
    const told = JSON.stringify(server.requests.at(-1)?.body);
    expect(told.split('your arguments are not valid JSON').length - 1).toBe(2);
  } finally {
    await server.close();
  }
});
