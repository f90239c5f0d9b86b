import { describe, expect, it } from 'vitest';
import { blockedCommand, blockedReport } from '../../../../src/core/job/environmentFault.ts';
import { repeated, sameText, type Try } from '../../../../src/core/job/stopRules.ts';

const failed = (feedback: string, more: Partial<Try> = {}): Try => ({
  status: 'failed',
  cause: 'verify_failed',
  feedback,
  diff: `diff of ${feedback}`,
  ...more,
});

describe('two tries in a row', () => {
  it.each<[string, Try | undefined, Try, string | null]>([
    ['the first', undefined, failed('a'), null],
    ['the same error', failed('a'), failed('a'), 'same_error'],
    ['the same error after it was said', failed('a', { cause: 'same_error' }), failed('a'), 'same_error'],
    ['another error', failed('3 tests failed'), failed('2 tests failed'), null],
    [
      'the same rejection',
      failed('a', { cause: 'review_rejected' }),
      failed('a', { cause: 'review_rejected' }),
      'same_verdict',
    ],
    ['no change', failed('a', { diff: null }), failed('b', { diff: null }), 'empty_diff'],
    ['no change once', failed('a', { diff: null }), failed('b'), null],
    ['out of turns, with work', failed('a', { cause: 'turns' }), failed('a', { cause: 'turns' }), null],
    [
      'out of money, as older versions stored it',
      failed('a', { cause: 'money', diff: null }),
      failed('b', { diff: null }),
      null,
    ],
    ['over the budget', failed('a', { diff: null }), failed('b', { diff: null, status: 'blocked' }), null],
    ['one that asked', failed('a', { status: 'stuck' }), failed('a'), null],
    ['one that passed', failed('a'), failed('a', { status: 'succeeded' }), null],
    ['nothing said', failed(''), failed(''), null],
  ])('%s', (_, before, now, expected) => {
    expect(repeated(before, now)).toBe(expected);
  });

  it('is the same but for what differs from run to run', () => {
    const at = (ms: string, time: string) =>
      `not ok 1\n  duration_ms: ${ms}\n at ${time} in /tmp/x-${ms}/a.js (${ms} ms)`;
    expect(sameText(at('1.25', '2026-01-01T10:00:00Z'), at('0.7', '2026-01-02 11:00:01'))).toBe(true);
    expect(sameText('expected 3', 'expected 4')).toBe(false);
  });
});

describe('what is missing outside', () => {
  const of = (tail: string, exitCode = 1) => blockedCommand({ exitCode, tail })?.by ?? null;
  it.each<[string, number, string | null]>([
    ['sh: 1: cargo: not found', 127, 'tool_missing'],
    ['bash: line 1: cargo: command not found', 127, 'tool_missing'],
    ['sh: 1: cargo: not found', 1, null],
    ['sh: 1: ./run.sh: not found', 127, null],
    ['Error: spawn docker ENOENT', 1, 'tool_missing'],
    ['Error: getaddrinfo ENOTFOUND api.example.com', 1, 'host_refused'],
    ['getaddrinfo ENOTFOUND localhost', 1, null],
    ['curl: (6) Could not resolve host: example.com', 6, 'host_refused'],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', 1, 'service_down'],
    ['Error: connect ECONNREFUSED 127.0.0.1:3000', 1, null],
    ['Error: STRIPE_API_KEY is not set', 1, 'credential_missing'],
    ['AssertionError: expected 401 Unauthorized to equal 200 OK', 1, null],
    ['not ok 1 - parser', 1, null],
  ])('%s (exit %i): %s', (tail, exitCode, expected) => {
    expect(of(`# running\n${tail}\n`, exitCode)).toBe(expected);
  });

  it('is heard in what a worker says', () => {
    expect(blockedReport('I need an API key for the map service.')?.by).toBe('credential_missing');
    expect(blockedReport('pandoc is not installed here')?.by).toBe('tool_missing');
    expect(blockedReport('The host registry.example.com is not allowed')?.by).toBe('host_refused');
    expect(blockedReport('The database server is down')?.by).toBe('service_down');
    expect(blockedReport('Tabs or spaces?')).toBeNull();
  });
});
