/** What the gateway lets the sessions of projects do: within their limits, and while the project goes on. */
import { describe, expect, it } from 'vitest';
import { createGateway } from '../../../src/adapters/gateway/door/gateway.ts';
import { limitNamed } from '../../../src/core/money/limitWords.ts';
import type { Provider } from '../../../src/engine/session/gatewayPorts.ts';
import { NO_PROJECT_LIMITS, type ProjectLimits } from '../../../src/shared/project/projects.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { json, type Script, sse, toolEvents } from '../../support/provider/scriptedServer.ts';
import { addJob, addProject, addSession, setLimits } from '../../support/state/memoryStore.ts';
import { ask, EVENTS, OK, outcome, rows, textOf, type World, world } from '../../support/world/gatewayWorld.ts';

/** The world with a session of the project `p`: of its conversation. */
async function talking(scripts: readonly Script[], limits: Partial<ProjectLimits> = {}): Promise<World> {
  const at = await world(scripts);
  await addProject(at.store, 'p', { limits: { ...NO_PROJECT_LIMITS, ...limits } });
  return { ...at, session: await addSession(at.store, null, 'project', 'p') };
}

const TOOL = toolEvents('read', { path: 'x' });
const [START = '', BEGIN = '', , DELTA = '', STOP = '', END = '', LAST = ''] = TOOL;
const moved = (events: readonly string[], index: number) =>
  events.map((one) => one.replace('"index":0', `"index":${index}`));

describe('the calls of tools in an answer', () => {
  it.each([
    ['none', EVENTS, 0],
    ['one', TOOL, 1],
    [
      'two, their events in disorder',
      [START, BEGIN, ...moved([BEGIN, DELTA], 1), DELTA, STOP, ...moved([STOP], 1), END, LAST],
      2,
    ],
    ['one that was never finished', [START, BEGIN, DELTA, END, LAST], 0],
    ['one that the answer was cut in', [START, BEGIN, DELTA, STOP, END.replace('tool_use', 'max_tokens'), LAST], 0],
  ] as const)('are counted from its stream: %s', async (_, events, count) => {
    const at = await talking([sse(events)]);
    expect(await textOf(await ask(at))).toBe(events.join(''));
    expect(rows(at)).toMatchObject([{ status: 'settled', tool_calls: count, project_id: 'p', job_id: null }]);
  });

  it.each([
    ['tool_use', 2],
    ['max_tokens', 0],
  ] as const)('are counted in one piece too, when it stops for %s', async (stop_reason, count) => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
    const content = [{ type: 'text', text: 'I read.' }, call, { ...call, id: 'toolu_2' }];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const at = await talking([json(200, { type: 'message', content, stop_reason, usage })]);
    await textOf(await ask(at, { stream: false }));
    expect(rows(at)).toMatchObject([{ status: 'settled', tool_calls: count }]);
  });

  it('say nothing of an answer that makes no sense where they stand', async () => {
    const events = [
      START,
      BEGIN.replace('"index":0', '"index":null').replace(/"content_block":\{.*\}\}/, '"content_block":null}'),
      END,
      LAST,
    ];
    const at = await talking([sse(events)]);
    expect(await textOf(await ask(at))).toBe(events.join(''));
    expect(rows(at)).toMatchObject([{ status: 'settled', tool_calls: 0 }]);
  });
});

describe('a project', () => {
  it('is refused when its calls of tools are used up, and told what would be enough', async () => {
    const at = await talking([sse(TOOL)], { toolCalls: 2 });
    await textOf(await ask(at));
    await textOf(await ask(at));
    expect(await outcome(ask(at))).toMatchObject({
      code: 'LIMIT_REACHED',
      message: "the project's tool call limit of 2 tool calls is reached: 2 used, 0 in flight, up to 1 wanted",
      details: { limit: 'project_tool_calls', most: 2, used: 2, raiseTo: 4, resetsAt: null },
    });
    expect(at.server.seen).toHaveLength(2);
  });

  it('is refused when its tokens may not be enough, by the count of the provider where its own bound says so', async () => {
    const counts = json(200, { input_tokens: 10 });
    const at = await talking([counts, OK, counts], { tokens: 1_300 });
    await textOf(await ask(at));
    expect(at.server.seen.map(({ url }) => url)).toEqual([
      '/v1/messages/count_tokens?beta=true',
      '/v1/messages?beta=true',
    ]);
    expect(await outcome(ask(at, { max_tokens: 1_095 }))).toMatchObject({
      details: { limit: 'project_tokens', used: 30 },
    });
  });

  it.each([
    ['project_day', { dayMicroUsd: 20_000 }],
    ['project_total', { totalMicroUsd: 20_000 }],
  ] as const)('shares its %s limit with its jobs, and with no other project', async (limit, limits) => {
    const at = await talking([OK], limits);
    await addJob(at.store, 'b', {}, 'p');
    const job = await addSession(at.store, 'b', 'worker', 'p');
    const spent = {
      id: 901,
      session_id: job,
      provider: 'anthropic',
      model: 'claude-sonnet-5-5',
      price_version: '1',
    } as const;
    await textOf(await ask(at));
    const day = rows(at).at(-1)?.day ?? '';
    await at.store.commit({ type: 'call_reserved', ...spent, day, micro_usd: 9_000 });
    await at.store.commit({ type: 'call_unsettled', id: 901, reason: 'test' });
    expect(await outcome(ask(at))).toMatchObject({
      code: 'LIMIT_REACHED',
      message: expect.stringMatching(new RegExp(`^${limitNamed(limit)} of `)),
      details: { limit, limitMicroUsd: 20_000 },
    });
    expect(await outcome(ask({ ...at, session: job }))).toMatchObject({ details: { limit } });
    const other = await addSession(at.store, null, 'project');
    expect(await outcome(ask({ ...at, session: other }))).toContain('hello');
  });

  it.each([
    ['day', { dayMicroUsd: 1 }],
    ['total', { totalMicroUsd: 1 }],
    ['call', { callMicroUsd: 1 }],
  ] as const)('obeys the %s limit of all', async (limit, limits) => {
    const at = await talking([OK]);
    await setLimits(at.store, limits);
    expect(await outcome(ask(at))).toMatchObject({ code: 'LIMIT_REACHED', details: { limit } });
    expect(rows(at)).toEqual([]);
  });

  const p = { project_id: 'p' } as const;
  const suspended: EventDraft = { type: 'project_suspended', ...p, reason: '', by: 'steward' };
  const completed: EventDraft = { type: 'project_completed', ...p, reason: '', by: 'steward' };
  it.each<[string, EventDraft[]]>([
    ['suspended', [suspended]],
    ['completed', [completed]],
    ['archived', [completed, { type: 'project_archived', ...p, by: 'steward' }]],
    ['parked', [{ type: 'project_parked', ...p, reason: 'broken', approval: null }]],
  ])('that is %s gets no answer, and is told why', async (status, drafts) => {
    const at = await talking([OK]);
    for (const draft of drafts) await at.store.commit(draft);
    expect(await outcome(ask(at))).toMatchObject({ code: 'ABORTED', message: `the project is ${status}` });
    expect(at.server.seen).toEqual([]);
    expect(rows(at)).toEqual([]);
  });

  it('that is suspended while its call waits for its turn leaves nothing in the ledger', async () => {
    const at = await talking([OK]);
    const asked = outcome(ask(at));
    const stopped = at.store.commit(suspended);
    expect(await asked).toMatchObject({ code: 'ABORTED' });
    await stopped;
    expect(at.server.seen).toEqual([]);
  });
});

describe('a provider that names no price', () => {
  const unpriced: Provider = {
    name: 'vscode-lm',
    send: async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: new Blob([TOOL.join('')]).stream(),
    }),
  };
  const without = async (limits: Partial<ProjectLimits>): Promise<World> => {
    const at = await talking([OK], limits);
    const gateway = createGateway({ ledger: at.store, clock: at.clock, providerOf: () => unpriced });
    return { ...at, gateway };
  };

  it.each<[string, Partial<ProjectLimits>]>([
    ['neither limit', { dayMicroUsd: 1e9, totalMicroUsd: 1e9 }],
    ['tokens alone', { tokens: 1e6 }],
    ['calls of tools alone', { toolCalls: 100 }],
  ])('answers no conversation that is bounded by %s', async (_, limits) => {
    const at = await without(limits);
    expect(await outcome(ask(at))).toMatchObject({
      code: 'MODEL_UNPRICED',
      hint: expect.stringContaining('both limits'),
    });
    expect(rows(at)).toEqual([]);
  });

  it('answers one that has both, until one is reached, for nothing', async () => {
    const at = await without({ tokens: 1e6, toolCalls: 1 });
    expect(await outcome(ask(at))).toBe(TOOL.join(''));
    expect(rows(at)).toMatchObject([
      { status: 'settled', settled_micro_usd: 0, tool_calls: 1, reserved_tokens: expect.any(Number) },
    ]);
    expect(rows(at)[0]?.reserved_tokens).toBeGreaterThan(1_000);
    expect(await outcome(ask(at))).toMatchObject({ details: { limit: 'project_tool_calls' } });
  });
});
