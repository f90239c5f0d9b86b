import { describe, expect, it } from 'vitest';
import { admitCounted, type ProjectCall } from '../../../../src/core/money/usageLimits.ts';
import type { SpendRow } from '../../../../src/shared/money.ts';
import { NO_PROJECT_LIMITS, type ProjectLimits } from '../../../../src/shared/project/projects.ts';
import { emptyState, type State } from '../../../../src/shared/workspace/state.ts';
import { spendRow } from '../../../support/state/builders.ts';

const CALL: ProjectCall = { provider: 'anthropic', project_id: 'p', tokens: 100 };

function stateOf(...spends: readonly Partial<SpendRow>[]): State {
  const state = emptyState();
  for (const [at, spend] of spends.entries()) {
    const none = { input_tokens: 0, output_tokens: 0, reserved_tokens: 50 };
    state.spends.set(at + 1, spendRow({ project_id: 'p', provider: 'anthropic', ...none, ...spend, id: at + 1 }));
  }
  return state;
}

const limits = (own: Partial<ProjectLimits>): ProjectLimits => ({ ...NO_PROJECT_LIMITS, ...own });
const all: Partial<SpendRow> = {
  input_tokens: 1,
  output_tokens: 2,
  cache_read_tokens: 4,
  cache_write_5m_tokens: 8,
  cache_write_1h_tokens: 16,
};

describe("a project's tokens", () => {
  it('are what was reported, cache included, and the most of what is not known', () => {
    const state = stateOf(
      all,
      { ...all, job_id: null },
      { status: 'reserved' },
      { status: 'unsettled', reserved_tokens: 30 },
      { status: 'released', reserved_tokens: 9999 },
    );
    const most = 31 + 31 + 50 + 30 + 100;
    expect(admitCounted(state, CALL, limits({ tokens: most }))).toEqual({ ok: true });
    expect(admitCounted(state, CALL, limits({ tokens: most - 1 }))).toEqual({
      ok: false,
      limit: 'project_tokens',
      most: most - 1,
      used: 31 + 31 + 30,
      open: 50,
      wanted: 100,
    });
  });

  it('of a call that an older version reserved are as many as this one wants', () => {
    const state = stateOf({ status: 'unsettled', reserved_tokens: 0 });
    expect(admitCounted(state, CALL, limits({ tokens: 200 }))).toEqual({ ok: true });
    expect(admitCounted(state, CALL, limits({ tokens: 199 }))).toMatchObject({ used: 100 });
  });

  it('of a call that the steward settled at a price stay at their most; at nothing, they are none', () => {
    expect(admitCounted(stateOf({ settled_micro_usd: 7 }), CALL, limits({ tokens: 149 }))).toMatchObject({ used: 50 });
    expect(admitCounted(stateOf({ settled_micro_usd: 0 }), CALL, limits({ tokens: 100 }))).toEqual({ ok: true });
  });

  it("are not another project's, and a simulation's are apart", () => {
    const state = stateOf({ ...all, project_id: 'q' }, { ...all, provider: 'simulated' });
    expect(admitCounted(state, CALL, limits({ tokens: 100 }))).toEqual({ ok: true });
    const simulated = { ...CALL, provider: 'simulated' } as const;
    expect(admitCounted(state, simulated, limits({ tokens: 130 }))).toMatchObject({ used: 31 });
  });
});

describe("a project's calls of tools", () => {
  it('are those of its answers, and one for each answer that is not known', () => {
    const state = stateOf(
      { tool_calls: 3 },
      { tool_calls: 2, job_id: null },
      { status: 'reserved' },
      { status: 'unsettled' },
    );
    expect(admitCounted(state, CALL, limits({ toolCalls: 8 }))).toEqual({ ok: true });
    expect(admitCounted(state, CALL, limits({ toolCalls: 7 }))).toEqual({
      ok: false,
      limit: 'project_tool_calls',
      most: 7,
      used: 6,
      open: 1,
      wanted: 1,
    });
  });

  it('do not matter where only tokens are limited', () => {
    expect(admitCounted(stateOf({ tool_calls: 1e6 }), CALL, limits({ tokens: 1e6 }))).toEqual({ ok: true });
  });
});

it('names a limit that stays shut before one that only calls in flight shut', () => {
  const state = stateOf({ tool_calls: 5 }, { status: 'reserved', reserved_tokens: 900 });
  const refused = admitCounted(state, CALL, limits({ tokens: 999, toolCalls: 5 }));
  expect(refused).toMatchObject({ limit: 'project_tool_calls' });
});
