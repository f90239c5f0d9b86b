/** The pure parts of the Agent Client Protocol, without an agent. */
import { RequestError } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { answerFailure } from '../../../../src/adapters/acp/handshake.ts';
import { updateOf } from '../../../../src/adapters/acp/updates.ts';

describe('what an agent tells', () => {
  const call = (more: object) => updateOf({ sessionUpdate: 'tool_call_update', toolCallId: 'a', ...more });

  test.for([
    [{ content: [{ type: 'diff', path: 'a.ts', oldText: 'x', newText: 'y\nz' }] }, { output: 'a.ts\n-x\n+y\n+z' }],
    [{ content: [{ type: 'diff', path: 'new.ts', newText: 'y' }] }, { output: 'new.ts\n+y' }],
    [{ content: [{ type: 'terminal', terminalId: 't1' }] }, { output: '[terminal t1]' }],
    [
      { content: [], rawOutput: { code: 0 }, status: 'failed' },
      { output: '{"code":0}', status: 'failed' },
    ],
    [
      { status: 'in_progress', kind: 'read', title: null },
      { status: 'running', what: 'read' },
    ],
    [{ status: 'from the future', rawInput: null }, {}],
  ] as const)('of a call: %o', ([given, expected]) => {
    expect(call(given)).toEqual({ kind: 'tool', id: 'a', ...expected });
  });

  test('why it cannot work is told in its own words', () => {
    const names = { title: 'An agent', install: 'npm i agent', url: 'https://example.org' };
    const why = (data: unknown) => answerFailure(names, new RequestError(-32_603, 'Internal error', data), false);
    const text = 'An agent answers with an error: Internal error: exit 1. no binary';
    expect(why({ details: 'exit 1.\n\nno binary' })).toMatchObject({ code: 'AGENT_UNUSABLE', message: text });
    expect(why({ code: 7 })).toMatchObject({ message: expect.stringContaining('{"code":7}') });
  });

  test('what it costs is told in dollars, or not at all', () => {
    const cost = (amount: unknown, currency = 'USD') =>
      updateOf({ sessionUpdate: 'usage_update', cost: { amount, currency } });
    expect(cost(0.0000011)).toEqual({ kind: 'usage', usage: null, costMicroUsd: 2 });
    expect(cost(0.3)).toEqual({ kind: 'usage', usage: null, costMicroUsd: 300_000 });
    expect([cost(1, 'EUR'), cost(-1), cost('1'), updateOf({ sessionUpdate: 'usage_update' })]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
