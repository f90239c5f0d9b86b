import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoSampleFiles, loadScenario } from '../../../src/app/assets/scenarios.ts';
import { jobFeatures } from '../../../src/core/state/rows.ts';
import type { SpendRow } from '../../../src/shared/money.ts';
import { carryOutDemo, demoPassesItsTests } from '../../support/demo/demoRun.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const promptOf = (row: SpendRow) =>
  row.input_tokens + row.cache_read_tokens + row.cache_write_5m_tokens + row.cache_write_1h_tokens;

/** Every file below a folder, read whole. */
function filesIn(folder: string): { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

describe('the demo, over HTTP with a key', () => {
  let world: EngineWorld;

  beforeAll(async () => {
    world = await EngineWorld.open({
      scenario: await loadScenario('demo'),
      files: await demoSampleFiles(),
      sandbox: true,
    });
    await carryOutDemo(world);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('has one commit per completed feature, also for what was done again, and a merge', () => {
    const subjects = world.git('log', '--format=%s', '--first-parent', 'main^2').split('\n').toReversed();
    const features = jobFeatures(world.state, world.jobId).map((feature) => feature.name);
    const reopened = world.happened('phase_rejected').flatMap((event) => event.reopen);
    expect(reopened).toHaveLength(1);
    expect(subjects).toEqual(['Start', ...features]);
    const failed = [...world.state.attempts.values()].filter((row) => row.status === 'failed' && row.commit !== null);
    expect(failed).toHaveLength(1);
    expect(world.git('log', '-1', '--format=%p', 'main').split(' ')).toHaveLength(2);
    expect(world.git('status', '--porcelain', '--untracked-files=all')).toBe('');
  });

  test('the program that was built passes its own tests', () => demoPassesItsTests(world));

  test('the ledger is the bill of the server to the micro-USD, and nothing is open', () => {
    const spends = [...world.state.spends.values()];
    expect(new Set(spends.map((row) => row.status))).toEqual(new Set(['settled']));
    expect(spends.map((row) => row.settled_micro_usd)).toEqual(world.server.bill.map((call) => call.microUsd));
    expect(spends).toHaveLength(world.server.bill.length);
  });

  test('a worker reads from the cache all that it has sent before', () => {
    const shares: number[] = [];
    for (const { id, role } of world.state.sessions.values()) {
      if (role !== 'worker') continue;
      let before: number | null = null;
      for (const row of world.state.spends.values()) {
        if (row.session_id !== id) continue;
        const all = promptOf(row);
        if (before !== null) {
          expect(row.cache_read_tokens).toBeGreaterThanOrEqual(before);
          shares.push(row.cache_read_tokens / all);
        }
        before = all;
      }
    }
    expect(shares.length).toBeGreaterThan(15);
    // The rest is what is new: whole files, in sessions of a few turns.
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.85);
  });

  test('the key is nowhere: not in a file, not in an event', () => {
    const { apiKey } = world.server;
    const files = filesIn(world.folder);
    expect(files.length).toBeGreaterThan(50);
    expect(files.some(({ path }) => path.includes('sessions'))).toBe(true);
    expect(files.filter(({ bytes }) => bytes.includes(apiKey)).map(({ path }) => path)).toEqual([]);
    expect(JSON.stringify(world.events)).not.toContain(apiKey);
    expect(world.server.requests.every((request) => !request.body.includes(apiKey))).toBe(true);
  });
});
