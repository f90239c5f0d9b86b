import { describe, expect, test } from 'vitest';
import { SimulatedModel } from '../../../../src/adapters/simulated/model.ts';
import { PromptCache } from '../../../../src/adapters/simulated/promptCache.ts';
import { readRequest } from '../../../../src/adapters/simulated/request.ts';
import { replyOf, requestBody, smallScenario, type TestMessage } from '../../../support/provider/simulatedRequests.ts';

const LONG = 'x'.repeat(8_000);
const mark = (ttl: '5m' | '1h' = '5m') => ({ cache_control: { type: 'ephemeral', ttl } });
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const user = (...content: object[]): TestMessage => ({ role: 'user', content });
const assistant = (value: string): TestMessage => ({ role: 'assistant', content: value });

function usageOf(model: SimulatedModel, messages: readonly TestMessage[], more: object = {}) {
  const { usage } = replyOf(model, messages, more);
  return {
    input: usage['input_tokens'],
    read: usage['cache_read_input_tokens'],
    written: usage['cache_creation_input_tokens'],
  };
}

const newModel = () => new SimulatedModel(smallScenario());

describe('tokens', () => {
  test('are about a quarter of the characters, and counted alike by count_tokens', () => {
    const body = requestBody([user(text(LONG))]);
    const counted = newModel().answer('/v1/messages/count_tokens?beta=true', body);
    expect(counted).toMatchObject({
      kind: 'tokens',
      inputTokens: expect.toSatisfy((n: number) => n > 2_000 && n < 2_020),
    });
    expect(usageOf(newModel(), [user(text(LONG))])).toEqual({
      input: counted.kind === 'tokens' ? counted.inputTokens : 0,
      read: 0,
      written: 0,
    });
  });
});

describe('the prompt cache', () => {
  test('is written at a mark, read by the next request, and written on from there', () => {
    const model = newModel();
    const system = [text(LONG, mark())];
    const first = usageOf(model, [user(text('Hello'))], { system });
    expect(first).toMatchObject({ read: 0, written: expect.toSatisfy((n: number) => n > 2_000) });
    const again = usageOf(model, [user(text('Hello'))], { system });
    expect(again).toEqual({ input: first.input, read: first.written, written: 0 });
    const longer = usageOf(model, [user(text('Hello')), assistant('Yes'), user(text('More', mark()))], { system });
    expect(longer.read).toBe(first.written);
    expect(longer.input).toBe(0);
    expect(longer.written).toBeGreaterThan(0);
  });

  test('finds a prefix whose mark has moved on, and text given as a string or as a block', () => {
    const model = newModel();
    const first = usageOf(model, [user(text(LONG, mark()))]);
    const second = usageOf(model, [{ role: 'user', content: LONG }, assistant('Yes'), user(text('More', mark()))]);
    expect(second.read).toBe(first.written);
  });

  test('knows nothing of another model, of a changed prefix, or without marks', () => {
    const model = newModel();
    usageOf(model, [user(text(LONG, mark()))]);
    expect(usageOf(model, [user(text(LONG, mark()))], { model: 'claude-opus-5-5' }).read).toBe(0);
    expect(usageOf(model, [user(text(`y${LONG}`, mark()))]).read).toBe(0);
    expect(usageOf(model, [user(text(LONG))]).read).toBe(0);
  });

  test('keeps nothing short', () => {
    expect(usageOf(newModel(), [user(text('Hello', mark()))]).written).toBe(0);
  });

  test('tells writes by how long they last', () => {
    const body = requestBody([user(text(LONG, mark('5m')))], { system: [text(LONG, mark('1h'))] });
    const answer = newModel().answer('/v1/messages', body);
    const usage = answer.kind === 'reply' ? answer.reply.usage : null;
    expect(usage).toMatchObject({ input: 0, cacheRead: 0 });
    expect(usage?.cacheWrite1h).toBeGreaterThan(2_000);
    expect(usage?.cacheWrite5m).toBeGreaterThan(2_000);
  });

  test('expires five minutes or an hour after the last use of an entry', () => {
    let minutes = 0;
    const cache = new PromptCache(() => minutes * 60_000);
    const use = (ttl: '5m' | '1h') => {
      const read = readRequest(requestBody([user(text(`${ttl}${LONG}`, mark(ttl)))]));
      return read.ok ? cache.use(read.request).cacheRead > 0 : null;
    };
    const at = (minute: number) => {
      minutes = minute;
      return [use('5m'), use('1h')];
    };
    expect([0, 5, 10, 16, 76, 137].map(at)).toEqual([
      [false, false],
      [true, true],
      [true, true],
      [false, true],
      [false, true],
      [false, false],
    ]);
  });

  test('refuses a mark of an hour behind one of five minutes', () => {
    const body = requestBody([user(text(LONG, mark('1h')))], { system: [text(LONG, mark('5m'))] });
    expect(newModel().answer('/v1/messages', body)).toMatchObject({ kind: 'error', status: 400 });
  });

  test('takes the mark of the whole request as one behind its last block', () => {
    expect(usageOf(newModel(), [user(text(LONG))], mark())).toMatchObject({ input: 0, read: 0 });
  });
});
