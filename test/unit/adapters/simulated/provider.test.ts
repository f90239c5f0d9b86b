import { describe, expect, test } from 'vitest';
import { simulatedProvider } from '../../../../src/adapters/simulated/provider.ts';
import type { Clock } from '../../../../src/shared/clock.ts';
import { formatAssignment } from '../../../../src/shared/workspace/assignment.ts';
import { requestBody, smallScenario } from '../../../support/provider/simulatedRequests.ts';

const waits: number[] = [];
/** Time passes at once; an aborted sleep rejects. */
const clock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  timer: () => () => undefined,
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    waits.push(ms);
  },
};

const scenario = smallScenario({
  delayMs: 30,
  features: { F: { attempts: [{ turns: [{ text: 'Hi.', calls: [{ tool: 'notes' }] }] }] } },
});
const opening = formatAssignment({ role: 'worker', phase: 'P', feature: 'F', featureId: 1, attempt: 1 });
const request = (text = opening, more: object = { stream: true }) => ({
  path: '/v1/messages?beta=true',
  method: 'POST',
  headers: {},
  body: requestBody([{ role: 'user', content: text }], more),
  sessionId: 3,
});
const never = new AbortController().signal;

describe('the simulated provider', () => {
  test('streams the events of the real API, in order, marked as simulated', async () => {
    const reply = await simulatedProvider({ scenario, clock }).send(request(), never);
    expect(reply).toMatchObject({ status: 200, headers: { 'x-autonomous-simulated': '1' } });
    expect(reply.headers['content-type']).toMatch(/^text\/event-stream/);
    const body = await new Response(reply.body).text();
    const events = body.split('\n\n').filter((part) => part !== '');
    expect(events.map((part) => /^event: (\w+)\ndata: \{"type":"\1"/.exec(part)?.[1])).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const start = JSON.parse(events[0]?.split('data: ')[1] ?? '') as { message: { usage: { input_tokens: number } } };
    const delta = JSON.parse(events.at(-2)?.split('data: ')[1] ?? '') as object;
    expect(delta).toMatchObject({
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: start.message.usage.input_tokens, output_tokens: expect.any(Number) },
    });
  });

  test('answers with JSON when no stream is asked for, and counts tokens', async () => {
    const provider = simulatedProvider({ scenario, clock });
    const reply = await provider.send(request(opening, {}), never);
    expect(await new Response(reply.body).json()).toMatchObject({ type: 'message', stop_reason: 'tool_use' });
    const count = await provider.send({ ...request(), path: '/v1/messages/count_tokens' }, never);
    expect(await new Response(count.body).json()).toEqual({ input_tokens: expect.any(Number) });
  });

  test('throws SCENARIO_EXHAUSTED; a bad request is a reply', async () => {
    const provider = simulatedProvider({ scenario, clock });
    const other = formatAssignment({ role: 'summarizer', phase: 'P', attempt: 1 });
    await expect(provider.send(request(other), never)).rejects.toMatchObject({ code: 'SCENARIO_EXHAUSTED' });
    const refused = await provider.send({ ...request(), body: '{}' }, never);
    expect(refused.status).toBe(400);
    expect(await new Response(refused.body).json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error' },
    });
  });

  test('waits as long as told before each reply', async () => {
    waits.length = 0;
    await simulatedProvider({ scenario, clock }).send(request(), never);
    await simulatedProvider({ scenario, clock, delayMs: 5 }).send(request(), never);
    await simulatedProvider({ scenario, clock, delayMs: 0 }).send(request(), never);
    expect(waits).toEqual([30, 5]);
  });

  test('an abort rejects the call, or breaks its stream', async () => {
    const provider = simulatedProvider({ scenario, clock });
    await expect(provider.send(request(), AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    const controller = new AbortController();
    const { body } = await provider.send(request(), controller.signal);
    const reader = body.getReader();
    await reader.read();
    controller.abort(new Error('stop'));
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow('stop');
  });
});
