/** `costs` and `board show` state what tokens were paid for, and what handovers saved. */
import { expect, test } from 'vitest';
import type { CacheLines } from '../../../../src/core/money/view/cacheLines.ts';
import type { CacheLine, SpendRow } from '../../../../src/shared/money.ts';
import { lookingAt } from '../../../support/editor/fakeWorkspace.ts';
import { microUsdOf } from '../../../support/provider/prices.ts';
import {
  attemptRow,
  featureRow,
  JOB_ID,
  jobRow,
  phaseRow,
  sessionRow,
  spendRow,
  stateOf,
} from '../../../support/state/builders.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

const MODEL = 'claude-sonnet-5-5';

/** A worker that is handed over once, a reviewer of another job, and a planner without a price. */
function spends(): SpendRow[] {
  const calls = [
    ...[10_000, 30_000, 60_000, 80_000, 90_000, 91_000].map(
      (prompt, at, all) => ['0', prompt, all[at - 1] ?? 0] as const,
    ),
    ...Array.from({ length: 12 }, (_, at) => ['abc', 8_000 + 500 * at, at === 0 ? 6_000 : 7_500 + 500 * at] as const),
  ];
  const rows = calls.map(([conversation, prompt, read], index) => {
    const usage = { input: 0, output: 100, cacheRead: read, cacheWrite5m: prompt - read, cacheWrite1h: 0 };
    return spendRow({
      id: index + 1,
      provider: 'anthropic',
      model: MODEL,
      settled_micro_usd: microUsdOf(MODEL, usage),
      input_tokens: 0,
      output_tokens: 100,
      cache_read_tokens: read,
      cache_write_5m_tokens: prompt - read,
      conversation,
    });
  });
  const other = { session_id: 2, job_id: 'job-2', role: 'reviewer', conversation: '0' } as const;
  const unpriced = { session_id: 3, role: 'planner', provider: 'vscode-lm', settled_micro_usd: 0 } as const;
  return [...rows, spendRow({ id: 90, ...other }), spendRow({ id: 91, ...unpriced, input_tokens: 700 })];
}

function state() {
  return stateOf({
    jobs: [jobRow(), jobRow({ id: 'job-2', title: 'Another' })],
    phases: [phaseRow()],
    features: [featureRow({ name: 'Parse' })],
    attempts: [attemptRow()],
    sessions: [
      sessionRow({ feature_id: 1 }),
      sessionRow({ id: 2, role: 'reviewer' }),
      sessionRow({ id: 3, role: 'planner' }),
    ],
    spends: spends(),
  });
}

const open = () =>
  terminalWorld({ columns: 100, workspace: lookingAt(state(), { works: false, jobs: [], turns: [] }) });

test('costs have a section for it', async () => {
  const world = await open();
  expect(await world.run('costs', '--job', 'job-2')).toBe(0);
  expect(world.out).not.toContain('anded over');
  world.clear();
  expect(await world.run('costs', '--job', JOB_ID)).toBe(0);
  expect(world.out).toContain(
    [
      'PAID FOR                 TOKENS        COST',
      'read from the cache        392k     $0.0391',
      'sent for the first time     97k     $0.2412',
      'again after a handover     2000     $0.0050',
      'answers                    1801     $0.0180',
      'other                       700  not priced',
      'Handed over once, saved about $0.0352',
      '',
    ].join('\n'),
  );
});

test('in JSON, in all and by job, role and session', async () => {
  const world = await open();
  expect(await world.run('costs', '--json')).toBe(0);
  const { cache } = JSON.parse(world.out) as { cache: CacheLines & { bySession: CacheLine[] } };
  expect(cache.byJob.map(({ label }) => label)).toEqual(['A stack', 'Another']);
  expect(cache.byRole.map(({ label }) => label)).toEqual(['worker', 'reviewer', 'planner']);
  expect(cache.bySession.map(({ key, label }) => `${key} ${label}`)).toEqual([
    '1 worker: Parse',
    '2 reviewer',
    '3 planner',
  ]);
  expect(cache.total).toMatchObject({ calls: 20, unpricedCalls: 1, handovers: 1, savedUsd: 0.0352 });
  expect(cache.bySession[0]).toEqual({
    key: '1',
    label: 'worker: Parse',
    calls: 18,
    unpricedCalls: 0,
    uses: {
      read: { tokens: 391_500, unpricedTokens: 0, usd: 0.03915 },
      first: { tokens: 96_500, unpricedTokens: 0, usd: 0.24125 },
      handover: { tokens: 2_000, unpricedTokens: 0, usd: 0.005 },
      output: { tokens: 1_800, unpricedTokens: 0, usd: 0.018 },
    },
    cacheReadTokens: 391_500,
    cacheWrite5mTokens: 98_500,
    cacheWrite1hTokens: 0,
    uncachedTokens: 0,
    handovers: 1,
    savedUsd: 0.0352,
  });
  expect(cache.bySession[2]?.uses['unknown']).toEqual({ tokens: 700, unpricedTokens: 700, usd: 0 });
});

test('board show names the handovers beside the session', async () => {
  const world = await open();
  expect(await world.run('board', 'show', '1')).toBe(0);
  expect(world.out).toContain('running, $0.0000, handed over once, saved about $0.0352\n');
  world.clear();
  expect(await world.run('board', 'show', '1', '--json')).toBe(0);
  const { feature } = JSON.parse(world.out) as { feature: { sessions: unknown[] } };
  expect(feature.sessions).toEqual([expect.objectContaining({ id: 1, handovers: 1, savedUsd: 0.0352 })]);
});
