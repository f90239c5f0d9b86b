import { describe, expect, it } from 'vitest';
import { admitUnpriced, isPriced, unpricedUse } from '../../../../../src/core/money/price/unpriced.ts';
import { costs } from '../../../../../src/core/money/view/costs.ts';
import { PROVIDERS } from '../../../../../src/shared/model/models.ts';
import type { SpendRow } from '../../../../../src/shared/money.ts';
import { emptyState, type State } from '../../../../../src/shared/workspace/state.ts';
import { JOB_ID, spendRow } from '../../../../support/state/builders.ts';

const CALL = { provider: 'vscode-lm', job_id: JOB_ID, tokens: 100 } as const;

function stateOf(...spends: readonly Partial<SpendRow>[]): State {
  const state = emptyState();
  for (const [at, spend] of spends.entries()) {
    const none = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 };
    state.spends.set(at + 1, spendRow({ provider: 'vscode-lm', ...none, ...spend, id: at + 1 }));
  }
  return state;
}

it('knows a price for every provider but the editor', () => {
  expect(PROVIDERS.filter((name) => !isPriced(name))).toEqual(['vscode-lm']);
});

describe('a call without a price', () => {
  it('passes up to the limit of calls, whatever became of those before', () => {
    const state = stateOf({ status: 'settled' }, { status: 'unsettled' }, { status: 'released' });
    expect(admitUnpriced(state, CALL, { calls: 3, tokens: 1e6 })).toEqual({ ok: true });
    expect(admitUnpriced(state, CALL, { calls: 2, tokens: 1e6 })).toMatchObject({
      ok: false,
      limit: 'calls',
      used: 2,
      most: 2,
    });
  });

  it('passes up to the limit of tokens, its own at their most', () => {
    const state = stateOf({ status: 'settled', input_tokens: 700, output_tokens: 200 });
    expect(admitUnpriced(state, CALL, { calls: 9, tokens: 1000 })).toEqual({ ok: true });
    expect(admitUnpriced(state, CALL, { calls: 9, tokens: 999 })).toMatchObject({
      limit: 'tokens',
      used: 900,
      wanted: 100,
    });
  });

  it('counts calls whose tokens are not known at their most, or as if they were as long as this one', () => {
    const known = stateOf({ status: 'unsettled', reserved_tokens: 250 });
    expect(admitUnpriced(known, CALL, { calls: 9, tokens: 350 })).toEqual({ ok: true });
    expect(admitUnpriced(known, CALL, { calls: 9, tokens: 349 })).toMatchObject({ used: 250, open: 0 });
    const state = stateOf({ status: 'reserved', reserved_tokens: 0 }, { status: 'unsettled', reserved_tokens: 0 });
    expect(admitUnpriced(state, CALL, { calls: 9, tokens: 300 })).toEqual({ ok: true });
    expect(admitUnpriced(state, CALL, { calls: 9, tokens: 299 })).toMatchObject({
      limit: 'tokens',
      used: 100,
      open: 100,
    });
  });

  it('counts only the calls of its job and provider', () => {
    const state = stateOf({ job_id: 'other' }, { provider: 'anthropic' });
    expect(unpricedUse(state, JOB_ID, 'vscode-lm')).toEqual({ calls: 0, tokens: 0, inFlight: 0, unknown: 0 });
  });
});

it('is told apart in the costs', () => {
  expect(costs(stateOf({ status: 'settled' }), '2026-11-02').unpriced).toBe(true);
  expect(costs(stateOf({ status: 'settled', provider: 'anthropic' }), '2026-11-02').unpriced).toBe(false);
});
