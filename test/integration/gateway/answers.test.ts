/** What an answer costs, and when it is given. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PRICES } from '../../../src/core/money/price/prices.ts';
import { cost } from '../../../src/core/money/price/pricing.ts';
import { AutonomousError } from '../../../src/shared/errors.ts';
import { json, message, sse, textEvents } from '../../support/provider/scriptedServer.ts';
import { addSession, setLimits } from '../../support/state/memoryStore.ts';
import { ask, EVENTS, OK, outcome, rows, statuses, textOf, until, world } from '../../support/world/gatewayWorld.ts';

describe('answers', () => {
  it('pass through byte for byte and are settled at what the server bills', async () => {
    const usage = {
      input_tokens: 12,
      output_tokens: 345,
      cache_read_input_tokens: 6789,
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    };
    const at = await world([sse(textEvents('hello', usage))]);
    const reply = await ask(at, { messages: [{ role: 'user', content: 'x'.repeat(8_000) }] });
    expect(reply.status).toBe(200);
    expect(await textOf(reply)).toBe(textEvents('hello', usage).join(''));
    const billed = { input: 12, output: 345, cacheRead: 6789, cacheWrite5m: 100, cacheWrite1h: 200 };
    expect(rows(at)).toMatchObject([
      {
        status: 'settled',
        settled_micro_usd: cost(PRICES, 'claude-sonnet-5-5', billed),
        input_tokens: 12,
        output_tokens: 345,
        cache_read_tokens: 6789,
        cache_write_5m_tokens: 100,
        cache_write_1h_tokens: 200,
      },
    ]);
  });

  it('whose counts fall are booked at the larger ones, and people are told', async () => {
    const [start = '', ...rest] = textEvents('hello', { input_tokens: 1_500 });
    const events = [start, ...rest.map((event) => event.replace('"usage":{', '"usage":{"input_tokens":0,'))];
    const told: string[] = [];
    const at = await world([sse(events)], { problem: (text) => told.push(text) });
    expect(await textOf(await ask(at))).toBe(events.join(''));
    expect(rows(at)).toMatchObject([{ status: 'settled', input_tokens: 1_500 }]);
    expect(told).toEqual([expect.stringContaining('1500 input tokens, then 0: the larger count is booked')]);
  });

  it.each([
    ['a prompt', { cache_read_input_tokens: 2_000_000_000 }],
    ['an answer', { output_tokens: 1_001 }],
  ])('with more tokens than %s can have are counted at their most, and people are told', async (_, usage) => {
    const told: string[] = [];
    const at = await world([sse(textEvents('hello', usage))], { problem: (text) => told.push(text) });
    expect(await textOf(await ask(at))).toContain('hello');
    const [row] = rows(at);
    expect(row).toMatchObject({ status: 'unsettled' });
    expect(row?.reserved_micro_usd).toBeLessThan(100_000);
    expect(told).toEqual([expect.stringContaining('which is impossible: its highest possible cost is counted')]);
  });

  it.each([
    ['claude-fable-5-1', 'settled', 10 * 10 + 20 * 50],
    ['claude-haiku-5-5', 'settled', 10 * 2 + 20 * 10],
    ['claude-sonnet-5-5-20261101', 'settled', 10 * 2 + 20 * 10],
    ['nobody-1', 'unsettled', 0],
  ])('of %s instead of the model that was asked are never booked for less', async (model, status, microUsd) => {
    const told: string[] = [];
    const events = EVENTS.map((event) => event.replaceAll('claude-sonnet-5-5', model));
    const at = await world([sse(events)], { problem: (text) => told.push(text) });
    expect(await textOf(await ask(at))).toBe(events.join(''));
    expect(rows(at)).toMatchObject([{ status, settled_micro_usd: microUsd }]);
    expect(told).toHaveLength(model.startsWith('claude-sonnet-5-5') ? 0 : 1);
  });

  it('in one piece are settled too', async () => {
    const at = await world([message('hello', { input_tokens: 7, output_tokens: 9 })]);
    expect(JSON.parse(await textOf(await ask(at, { stream: false })))).toMatchObject({ content: [{ text: 'hello' }] });
    expect(rows(at)).toMatchObject([{ status: 'settled', settled_micro_usd: 7 * 2 + 9 * 10 }]);
  });

  it('take the last of cumulative reports, never their sum', async () => {
    const delta = (output: number) => EVENTS[5]?.replace('"output_tokens":20', `"output_tokens":${output}`) ?? '';
    const events = [...EVENTS.slice(0, 5), delta(5), delta(11), delta(30), EVENTS[6] ?? ''];
    const at = await world([sse(events)]);
    await textOf(await ask(at));
    expect(rows(at)).toMatchObject([{ input_tokens: 10, output_tokens: 30, settled_micro_usd: 320 }]);
  });

  it('cut into single bytes, with carriage returns and unknown events, mean the same', async () => {
    const text = [': hi\n\n', 'event: new\ndata: {"type":"new_thing"}\n\n', ...EVENTS]
      .join('')
      .replaceAll('\n', '\r\n');
    const at = await world([
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const byte of Buffer.from(text)) {
          response.write(Buffer.of(byte));
          if (byte === 10) await setImmediate();
        }
        response.end();
      },
    ]);
    expect(await textOf(await ask(at))).toBe(text);
    expect(statuses(at)).toEqual(['settled']);
  });

  it('hold their last event until the settlement is durable', async () => {
    const at = await world([OK]);
    const reader = (await ask(at)).body.getReader();
    for (let text = ''; !text.includes('message_stop'); ) {
      const { value } = await reader.read();
      text += Buffer.from(value ?? []).toString();
      expect(statuses(at)).toEqual([
        text.includes('message_stop') ? 'settled' : expect.stringMatching(/reserved|settled/),
      ]);
    }
  });

  it('whose settlement cannot be written break, and are settled by themselves once it can', async () => {
    const at = await world([OK]);
    const reply = await ask(at);
    at.log.broken = new AutonomousError('DISK', 'the disk is full', '', {}, undefined);
    expect(await outcome(Promise.resolve(reply))).toMatchObject({ code: 'DISK' });
    at.clock.advance(60_000);
    await setImmediate();
    expect(statuses(at)).toEqual(['reserved']);
    at.log.broken = null;
    at.clock.advance(60_000);
    await until(() => statuses(at)[0] === 'settled');
  });

  it('whose settlement could not be written are settled when the owner stops', async () => {
    const at = await world([OK]);
    const reply = await ask(at);
    at.log.broken = new AutonomousError('DISK', 'the disk is full', '', {}, undefined);
    expect(await outcome(Promise.resolve(reply))).toMatchObject({ code: 'DISK' });
    at.log.broken = null;
    await at.gateway.close();
    expect(statuses(at)).toEqual(['settled']);
  });

  it('without a usable usage are given, and counted at their most', async () => {
    const at = await world([
      sse(EVENTS.map((one) => one.replaceAll('message_delta', 'message_other'))),
      sse(EVENTS.map((one) => one.replace('"usage":{"output_tokens"', '"usage":{"speed":"fast","output_tokens"'))),
      message('hello', {}),
    ]);
    await textOf(await ask(at));
    await textOf(await ask(at));
    await textOf(await ask(at, { stream: false }));
    expect(rows(at).map(({ status, reason }) => [status, reason])).toEqual([
      ['unsettled', 'no final usage reported'],
      ['unsettled', 'usage without a price: fast mode'],
      ['unsettled', 'no usage reported'],
    ]);
  });

  it('may be left unread', async () => {
    const at = await world([OK]);
    await ask(at);
    await until(() => statuses(at)[0] === 'settled');
  });
});

describe('many calls', () => {
  it('are at most four in flight, the important ones first', async () => {
    let inFlight = 0;
    let most = 0;
    const order: string[] = [];
    const at = await world([
      async (response, request) => {
        most = Math.max(most, ++inFlight);
        order.push((JSON.parse(request.body) as { messages: [{ content: string }] }).messages[0].content);
        await setImmediate();
        inFlight--;
        await OK(response, request);
      },
    ]);
    const reviewer = await addSession(at.store, 'a', 'reviewer');
    const say = (content: string) => ({ messages: [{ role: 'user', content }] });
    const workers = Array.from({ length: 8 }, (_, index) => ask(at, say(`worker ${index}`)).then(textOf));
    const review = ask({ ...at, session: reviewer }, say('review')).then(textOf);
    await Promise.all([...workers, review]);
    expect(most).toBeLessThanOrEqual(4);
    expect(order.indexOf('review')).toBeLessThan(6);
  });

  it('under a tight limit never spend more than it, and the sum is the bill of the server', async () => {
    let billed = 0;
    const at = await world([
      async (response, request) => {
        if (request.url.includes('count_tokens')) return void json(200, { input_tokens: 10 })(response, request);
        const output = 1 + ((billed + 7) % 900);
        billed += 10 * 2 + output * 10;
        await sse(textEvents('x', { input_tokens: 10, output_tokens: output }))(response, request);
      },
    ]);
    await setLimits(at.store, { dayMicroUsd: 60_000 });
    const results = await Promise.all(Array.from({ length: 32 }, () => outcome(ask(at))));
    const spent = rows(at).reduce((sum, row) => sum + row.settled_micro_usd, 0);
    expect(spent).toBe(billed);
    expect(spent).toBeLessThanOrEqual(60_000);
    expect(new Set(statuses(at))).toEqual(new Set(['settled']));
    for (const result of results) if (typeof result !== 'string') expect(result.code).toBe('LIMIT_REACHED');
  });
});
