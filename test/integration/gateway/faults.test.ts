/** Every fault of a provider, over each wire. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { AutonomousError } from '../../../src/shared/errors.ts';
import { DEAD_ADDRESS } from '../../support/provider/deadAddress.ts';
import { refusingProxy } from '../../support/provider/refusingProxy.ts';
import { apiError, cut, hang, json, scriptedServer, sse } from '../../support/provider/scriptedServer.ts';
import { WIRE_SCRIPTS } from '../../support/provider/wireScripts.ts';
import {
  ask,
  KEY,
  outcome,
  rows,
  statuses,
  until,
  WIRES,
  world as worldOver,
} from '../../support/world/gatewayWorld.ts';

describe.each(WIRES)('over the %s wire:', (wire) => {
  const { events: EVENTS, half: halfCount, unfinished, error: errorEvent, senseless, ping } = WIRE_SCRIPTS[wire];
  const OK = sse(EVENTS);
  const half = EVENTS.slice(0, halfCount);
  const isMessages = wire === 'messages';
  /** The servers of other protocols send nothing while their model reasons. */
  const IDLE_MS = isMessages ? 90_000 : 600_000;
  /** The text of a Messages answer passes as it is; that of another protocol is translated. */
  const isWhole = (got: unknown): boolean =>
    wire === 'messages'
      ? got === EVENTS.join('')
      : /"text_delta","text":"(hello|hel)"/.test(String(got)) && String(got).includes('message_stop');
  const world = (scripts: Parameters<typeof worldOver>[0], options: Parameters<typeof worldOver>[1] = {}) =>
    worldOver(scripts, { ...options, wire });

  describe('what is final at once', () => {
    it.each([
      ['401', apiError(401, 'authentication_error', `invalid key ${KEY}`), 'KEY_REFUSED'],
      ['403', apiError(403, 'permission_error'), 'KEY_REFUSED'],
      ['402', apiError(402, 'billing_error'), 'NO_CREDIT'],
      [
        '400 about credit',
        apiError(400, 'invalid_request_error', 'Your credit balance is too low to go on'),
        'NO_CREDIT',
      ],
      [
        '400 about a spend limit',
        apiError(400, 'invalid_request_error', 'You have reached your specified API usage limits.'),
        'NO_CREDIT',
      ],
      ['429 about a spend limit', apiError(429, 'rate_limit_error', 'monthly spend limit'), 'NO_CREDIT'],
      ['400', apiError(400, 'invalid_request_error', 'messages: too short'), 'MODEL_REQUEST_REFUSED'],
      ['404', apiError(404, 'not_found_error', 'model: nope'), 'MODEL_REQUEST_REFUSED'],
      ['413', json(413, '<html>too large</html>'), 'MODEL_REQUEST_REFUSED'],
      ['a redirect', json(302, '', { location: 'http://127.0.0.1:1/steal' }), 'MODEL_REQUEST_REFUSED'],
    ])('%s', async (_name, script, code) => {
      const at = await world([script]);
      const failed = await outcome(ask(at));
      expect(failed).toMatchObject({ code });
      expect(JSON.stringify(failed) + String(failed)).not.toContain(KEY);
      expect(at.server.seen).toHaveLength(1);
      expect(statuses(at)).toEqual(['released']);
      expect(JSON.stringify(at.log.events)).not.toContain(KEY);
    });
  });

  describe('what is tried again', () => {
    it.each([408, 409, 429, 500, 502, 503, 504, 529])('%i, each try with its own reservation', async (status) => {
      const at = await world([apiError(status, 'some_error'), apiError(status, 'some_error'), OK]);
      expect(await outcome(ask(at))).toSatisfy(isWhole);
      // A gateway may fail after the server behind it has billed.
      const failed = !isMessages && [408, 500, 502, 504].includes(status) ? 'unsettled' : 'released';
      expect(statuses(at)).toEqual([failed, failed, 'settled']);
      expect(at.clock.slept).toEqual([1000, 2000]);
    });

    it('six times, then the job waits', async () => {
      const at = await world([apiError(529, 'overloaded_error')]);
      const failed = await outcome(ask(at));
      expect(failed).toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        details: { reason: 'HTTP 529: overloaded_error: overloaded_error' },
      });
      expect(at.server.seen).toHaveLength(6);
      expect(at.clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000]);
      const { retryAtMs } = (failed as AutonomousError).details;
      expect(retryAtMs).toBe(at.clock.now() + 60_000);
      expect(new Set(statuses(at))).toEqual(new Set(['released']));
    });

    it('after the time that the server asks for', async () => {
      const at = await world([apiError(429, 'rate_limit_error', 'x', { 'retry-after': '17' }), OK]);
      expect(await outcome(ask(at))).toSatisfy(isWhole);
      expect(at.clock.slept).toEqual([17_000]);
    });

    it('not after more than a minute: the job waits, and so does every other call', async () => {
      const at = await world([apiError(429, 'rate_limit_error', 'x', { 'retry-after': '600' }), OK]);
      const start = at.clock.now();
      const failed = await outcome(ask(at));
      expect(failed).toMatchObject({ code: 'MODEL_UNAVAILABLE', details: { retryAtMs: start + 600_000 } });
      expect(await outcome(ask(at))).toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        details: { retryAtMs: start + 600_000 },
      });
      expect(at.server.seen).toHaveLength(1);
      at.clock.advance(600_000);
      expect(await outcome(ask(at))).toSatisfy(isWhole);
    });

    it('a server that nobody runs: nothing is counted', async () => {
      const at = await world([], { baseUrl: `http://${DEAD_ADDRESS}` });
      const failed = await outcome(ask(at));
      expect(failed).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      expect(String(failed)).toContain('ECONNREFUSED');
      expect(statuses(at)).toEqual(Array(6).fill('released'));
    });

    it('a port that fetch itself refuses: nothing is counted, and the port is named as the cause', async () => {
      const at = await world([], { baseUrl: 'http://127.0.0.1:6000' });
      expect(String(await outcome(ask(at)))).toContain('choose another [BAD_PORT]');
      expect(new Set(statuses(at))).toEqual(new Set(['released']));
    });

    it('a server whose TLS cannot be trusted: nothing is counted, and the cause is named', async () => {
      const plain = await scriptedServer();
      const at = await world([], { baseUrl: plain.baseUrl.replace('http:', 'https:') });
      const failed = await outcome(ask(at));
      await plain[Symbol.asyncDispose]();
      expect(failed).toMatchObject({ code: 'MODEL_UNAVAILABLE', details: { reason: expect.stringContaining('TLS') } });
      expect(new Set(statuses(at))).toEqual(new Set(['released']));
    });

    it.each([502, 407, 403])('a proxy that answers %i instead of connecting: nothing is counted', async (status) => {
      await using proxy = await refusingProxy(status);
      const at = await world([], { baseUrl: 'https://model.invalid' });
      const failed = await outcome(ask(at));
      expect(failed).toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        details: { reason: expect.stringContaining('proxy') },
      });
      expect(proxy.asked()).toBe(6);
      expect(statuses(at)).toEqual(Array(6).fill('released'));
    });

    it('a connection that is lost before it is encrypted: nothing is counted', async () => {
      const server = createServer((socket) => void socket.once('data', () => socket.destroy()));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const at = await world([], { baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}` });
      const failed = await outcome(ask(at));
      server.close();
      expect(failed).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      expect(new Set(statuses(at))).toEqual(new Set(['released']));
    });

    it('a connection that is lost before an answer: each try stays counted', async () => {
      const at = await world([(response) => void response.destroy(), OK]);
      expect(await outcome(ask(at))).toSatisfy(isWhole);
      expect(statuses(at)).toEqual(['unsettled', 'settled']);
    });

    it('an answer that does not begin in time', async () => {
      const at = await world([() => undefined, OK]);
      const asked = outcome(ask(at));
      await until(() => at.server.seen.length === 1);
      at.clock.advance(IDLE_MS - 1);
      expect(statuses(at)).toEqual(['reserved']);
      at.clock.advance(1);
      expect(await asked).toSatisfy(isWhole);
      expect(rows(at)).toMatchObject([{ status: 'unsettled', reason: 'no answer in time' }, { status: 'settled' }]);
    });

    it('makes all calls wait as one', async () => {
      const at = await world([apiError(529, 'overloaded_error'), apiError(529, 'overloaded_error'), OK]);
      await Promise.all([outcome(ask(at)), outcome(ask(at))]);
      expect(Math.max(...at.clock.slept)).toBeLessThanOrEqual(2000);
    });
  });

  describe('streams that break', () => {
    it.each([
      ['cut after each event', cut(half), 'cut'],
      ['cut inside an event', cut([...half, 'event: content_bl']), 'cut'],
      ['ended without its last event', sse(EVENTS.slice(0, unfinished)), 'cut'],
      ['ended at once', sse([]), 'cut'],
      [
        'with an event that is not JSON',
        sse([...half, 'data: {"type":"content_bl\n\n', ...EVENTS.slice(4)]),
        'malformed',
      ],
      ['with a usage that makes no sense', sse(senseless), 'malformed'],
      [
        'with an error after half',
        sse([...half, errorEvent('overloaded_error')]),
        isMessages ? 'overloaded_error' : 'api_error',
      ],
      ['with text that is not UTF-8', sse([...half, Buffer.from('data: \xff\n\n', 'latin1')]), 'malformed'],
    ])('%s', async (_name, script, reason) => {
      const at = await world([script]);
      const got = await outcome(ask(at));
      expect(got).toMatchObject({ code: 'MODEL_STREAM_BROKEN', details: { reason } });
      expect(at.server.seen).toHaveLength(1);
      expect(rows(at)).toMatchObject([{ status: 'unsettled', reason: expect.stringContaining(reason) }]);
    });

    it('with an error first, which quotes the key', async () => {
      const at = await world([sse([errorEvent(`api_error: ${KEY}`)])]);
      const got = await outcome(ask(at));
      // In other protocols it stands in place of an answer: nothing is billed, and it is tried again.
      expect(got).toMatchObject({ code: isMessages ? 'MODEL_STREAM_BROKEN' : 'MODEL_UNAVAILABLE' });
      expect(new Set(statuses(at))).toEqual(new Set([isMessages ? 'unsettled' : 'released']));
      if (!isMessages) expect(JSON.stringify([got, String(got), at.log.events])).not.toContain(KEY);
    });

    it.runIf(isMessages)('that end before they begin', async () => {
      const at = await world([sse(EVENTS.slice(unfinished))]);
      expect(await outcome(ask(at))).toMatchObject({ code: 'MODEL_STREAM_BROKEN', details: { reason: 'malformed' } });
    });

    it.each(EVENTS.slice(0, unfinished).map((_, index) => [index]))('cut after event %i', async (index) => {
      const at = await world([cut(EVENTS.slice(0, index + 1))]);
      const reply = await ask(at);
      let text = '';
      const failed: unknown = await (async () => {
        for await (const chunk of reply.body) text += Buffer.from(chunk).toString();
      })().catch((thrown: unknown) => thrown);
      expect(failed).toMatchObject({ code: 'MODEL_STREAM_BROKEN', details: { reason: 'cut' } });
      if (isMessages) expect(EVENTS.join('').startsWith(text)).toBe(true);
      // 10 tokens of prompt as reported at its start, and the 1,000 that the answer may have; others report at the end.
      const least = 10 * 2 + 1_000 * 10;
      expect(rows(at)).toMatchObject([
        {
          status: 'unsettled',
          reserved_micro_usd: isMessages ? least : expect.toSatisfy((most: number) => most > least),
        },
      ]);
    });

    it('silent for too long in awake time; pings count', async () => {
      const { promise: go, resolve: speak } = Promise.withResolvers<void>();
      const at = await world([
        async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(half.join(''));
          await go;
          response.write(ping);
        },
      ]);
      const reader = (await ask(at)).body.getReader();
      let text = '';
      while (!/hel/.test(text)) text += Buffer.from((await reader.read()).value ?? []).toString();
      while (!text.endsWith('\n\n')) text += Buffer.from((await reader.read()).value ?? []).toString();
      if (isMessages) {
        at.clock.advance(60_000);
        speak();
        await reader.read();
      }
      at.clock.advance(IDLE_MS - 30_000);
      expect(statuses(at)).toEqual(['reserved']);
      at.clock.advance(30_000);
      await expect(reader.read()).rejects.toMatchObject({ code: 'MODEL_STREAM_BROKEN', details: { reason: 'idle' } });
      expect(statuses(at)).toEqual(['unsettled']);
      await until(() => at.server.hungUp() === 1);
    });

    it('in one piece', async () => {
      const at = await world([json(200, '{"type":"message","usage":'), json(200, { type: 'completion' })]);
      const reason = isMessages ? 'malformed' : 'cut';
      for (const _ of [1, 2]) {
        expect(await outcome(ask(at, { stream: false }))).toMatchObject({
          code: 'MODEL_STREAM_BROKEN',
          details: { reason },
        });
        at.clock.advance(60_000);
      }
      expect(statuses(at)).toEqual(['unsettled', 'unsettled']);
    });

    it('make the next call wait', async () => {
      const at = await world([sse([...half, errorEvent('overloaded_error')]), OK]);
      await outcome(ask(at));
      await outcome(ask(at));
      expect(at.clock.slept).toEqual([1000]);
    });
  });

  describe('aborts', () => {
    it('in the queue cost nothing', async () => {
      const at = await world([hang(EVENTS.slice(0, 3)), OK], { concurrency: 1 });
      await ask(at);
      const abort = new AbortController();
      const waiting = ask(at, {}, abort.signal);
      abort.abort();
      await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
      expect(statuses(at)).toEqual(['reserved']);
    });

    it('before the answer leave the call unsettled and hang up', async () => {
      const at = await world([() => undefined]);
      const abort = new AbortController();
      const asked = ask(at, {}, abort.signal);
      await until(() => at.server.seen.length === 1);
      abort.abort();
      await expect(asked).rejects.toMatchObject({ code: 'ABORTED' });
      expect(statuses(at)).toEqual(['unsettled']);
      await until(() => at.server.hungUp() === 1);
    });

    it.each(['signal', 'cancel'])('in mid-stream (%s) leave it unsettled and hang up', async (how) => {
      const at = await world([hang(EVENTS.slice(0, 4))]);
      const abort = new AbortController();
      const reader = (await ask(at, {}, abort.signal)).body.getReader();
      await reader.read();
      if (how === 'cancel') await reader.cancel();
      else {
        abort.abort();
        const rest = (async () => {
          for (;;) await reader.read();
        })();
        await expect(rest).rejects.toMatchObject({ code: 'ABORTED' });
      }
      await until(() => statuses(at)[0] === 'unsettled' && at.server.hungUp() === 1);
    });

    it('by closing the gateway are all booked when it is closed', async () => {
      const at = await world([hang(EVENTS.slice(0, 4))], { concurrency: 2 });
      await ask(at);
      await ask(at);
      const waiting = ask(at);
      const told = expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
      await at.gateway.close();
      await told;
      expect(statuses(at)).toEqual(['unsettled', 'unsettled']);
      await expect(ask(at)).rejects.toMatchObject({ code: 'ABORTED' });
    });
  });
});
