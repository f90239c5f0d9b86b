import { describe, expect, it } from 'vitest';
import type { SessionPorts } from '../../../src/engine/session/ports.ts';
import { failure } from '../../../src/shared/errors.ts';
import { call, calls, done, resultsIn, says } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';

const { bench, run } = sessionTest();

describe('a limit of the attempt', () => {
  it('turns', async () => {
    bench().limits = { ...bench().limits, turns: 2 };
    const { result } = await run([calls(call('bash', { command: 'a' })), calls(call('bash', { command: 'b' }))]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'turns', turns: 2 });
    expect(bench().commands).toEqual(['a', 'b']);
  });

  it('tokens, cache reads included', async () => {
    bench().limits = { ...bench().limits, tokens: 2_000 };
    const { result, model } = await run([1, 2].map((n) => calls(call('bash', { command: `${n}` }))));
    const sum = model.usages.map(
      (u) => u.input_tokens + u.cache_read_input_tokens + u.cache_creation_input_tokens + u.output_tokens,
    );
    expect(result).toMatchObject({ outcome: 'ended', reason: 'tokens' });
    expect(sum[0]).toBeLessThan(2_000);
    expect((sum[0] ?? 0) + (sum[1] ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  it('time', async () => {
    // What passes between two ticks of a stopwatch counts as at most twelve seconds: the rest is sleep.
    bench().limits = { ...bench().limits, seconds: 10 };
    bench().onCommand = () => {
      bench().monotonicMs += 4_000_000;
      return 'slow';
    };
    const { result } = await run([calls(call('bash', { command: 'sleep' }))]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'time' });
  });

  it('money, by the gateway', async () => {
    const refusing: typeof fetch = () =>
      Promise.reject(failure('LIMIT_REACHED', 'attempt limit', { details: { limit: 'attempt' } }));
    const { result } = await run([], { ports: { fetch: refusing } });
    expect(result).toMatchObject({ outcome: 'unavailable', code: 'LIMIT_REACHED', limit: 'attempt' });
  });
});

describe('the loop guard', () => {
  it('tells the model after three equal calls and ends after six', async () => {
    const same = () => calls(call('bash', { command: 'npm test' }));
    const { result, model } = await run([same(), same(), same(), same(), same(), same()]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'loop', turns: 6 });
    expect([1, 2, 3, 4].map((index) => String(resultsIn(model, index)[0]?.['content']).includes('[engine]'))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('sees rounds of several calls too', async () => {
    const same = () => calls(call('bash', { command: 'a' }), call('bash', { command: 'b' }));
    const { result } = await run([same(), same(), same(), same(), same(), same()]);
    expect(result).toMatchObject({ outcome: 'ended', reason: 'loop' });
  });

  it('lets a changing result pass', async () => {
    let n = 0;
    bench().onCommand = () => `run ${++n}`;
    const { result } = await run([
      ...Array.from({ length: 8 }, () => calls(call('bash', { command: 'npm test' }))),
      done(),
    ]);
    expect(result).toMatchObject({ outcome: 'answered', turns: 9 });
  });
});

describe('a failure of the model', () => {
  const rejecting = (thrown: unknown): Partial<SessionPorts> => ({ fetch: () => Promise.reject(thrown) });

  it.each([
    [
      'LIMIT_REACHED',
      { limit: 'day', resetsAt: '2030-01-02T00:00:00.000Z' },
      { limit: 'day', wakeAt: '2030-01-02T00:00:00.000Z' },
    ],
    ['MODEL_UNAVAILABLE', { retryAtMs: 1_000 }, { limit: null, wakeAt: '1970-01-01T00:00:01.000Z' }],
    ['LIMIT_REACHED', { limit: 'job', raiseTo: 7, resetsAt: null }, { limit: 'job', raiseTo: 7, wakeAt: null }],
    ['KEY_MISSING', {}, { wakeAt: null }],
    ['NO_CREDIT', {}, { wakeAt: null }],
    ['MODEL_UNPRICED', {}, { wakeAt: null }],
    ['MODEL_REQUEST_REFUSED', { status: 400 }, { wakeAt: null }],
  ] as const)('%s leaves the session resumable', async (code, details, expected) => {
    const { result } = await run([], { ports: rejecting(failure(code, 'no', { details, hint: 'wait' })) });
    expect(result).toMatchObject({ outcome: 'unavailable', code, hint: 'wait', turns: 0, ...expected });
    expect((await run([done()])).result).toMatchObject({ outcome: 'answered' });
  });

  it.each(['OWNER_LOST', 'DISK', 'INTERNAL'] as const)('%s is thrown', async (code) => {
    await expect(run([], { ports: rejecting(failure(code, 'no')) })).rejects.toMatchObject({ code });
  });

  it('in a tool port is thrown, not told to the model', async () => {
    bench().onCommand = () => {
      throw failure('DISK', 'full');
    };
    await expect(run([calls(call('bash', { command: 'a' }))])).rejects.toMatchObject({ code: 'DISK' });
    expect(bench().entries.at(-1)?.kind).toBe('reply');
  });

  it('in the middle of a stream runs nothing and asks again', async () => {
    const broken = { breakAfter: 4, of: calls(call('bash', { command: 'half' })) };
    const { result } = await run([broken, broken, { errorEvent: 'overloaded' }, done()]);
    expect(result).toMatchObject({ outcome: 'answered', turns: 1 });
    expect(bench().commands).toEqual([]);
  });

  it('in the stream again and again becomes unavailable', async () => {
    const broken = { breakAfter: 3, of: says('half') };
    const { result } = await run([broken, broken, broken, broken]);
    expect(result).toMatchObject({ outcome: 'unavailable', code: 'MODEL_STREAM_BROKEN' });
    expect(bench().entries.map((entry) => entry.kind)).toEqual(['opening']);
  });

  it('as a bare HTTP status is named', async () => {
    expect((await run([{ status: 400, message: 'bad' }])).result).toMatchObject({ code: 'MODEL_REQUEST_REFUSED' });
    expect((await run([{ status: 529, message: 'busy' }])).result).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });
});

describe('an abort', () => {
  it('during a call leaves a resumable transcript', async () => {
    const hanging: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        bench().abort.abort();
      });
    const { result } = await run([], { ports: { fetch: hanging } });
    expect(result).toEqual({ outcome: 'aborted', turns: 0 });
  });

  it('during a tool journals no result and starts no other call', async () => {
    bench().onCommand = () => {
      bench().abort.abort();
      return 'half';
    };
    const { result } = await run([calls(call('bash', { command: 'a' }), call('bash', { command: 'b' }))]);
    expect(result).toEqual({ outcome: 'aborted', turns: 1 });
    expect(bench().commands).toEqual(['a']);
    expect(bench().entries.at(-1)?.kind).toBe('reply');
  });
});
