/**
 * A job whose worker needs hundreds of rounds and thinks in each: it ends merged however often its process is killed, on a provider
 * that refuses thinking whose history has changed, and no prompt is longer than its model's lowest price allows.
 */
import { describe, expect, inject, test } from 'vitest';
import { SimulatedModel } from '../../src/adapters/simulated/model.ts';
import { inputTokens } from '../../src/core/model/usage/usage.ts';
import { PRICES } from '../../src/core/money/price/prices.ts';
import { pricesAt } from '../../src/core/money/price/pricing.ts';
import { moneyOf, underWay } from '../support/crash/crashOutcome.ts';
import { oneFile } from '../support/crash/crashScenario.ts';
import { crashWorld, soon } from '../support/crash/crashWorld.ts';
import { contentOf, fileOf, ReadingWorker } from '../support/economy/readingWorker.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { amount, LONG, PATIENCE_MS, randomOf, SEED } from '../support/suite/proof.ts';

const programs = await testPrograms(inject('tempRoot'));
const ROUNDS = amount({ short: 60, long: 300 });
// After five crashes of one attempt, a person is asked.
const KILLS = amount({ short: 3, long: 4 });
const SIZE = 5_000;
const MODELS = Object.keys(PRICES.models).filter((model) => LONG || model === 'claude-haiku-5-5');

describe.each(MODELS)(`${ROUNDS} rounds on %s, killed ${KILLS} times, seed ${SEED}`, (model) => {
  test('end merged', { timeout: PATIENCE_MS }, async () => {
    const files = Object.fromEntries(
      Array.from({ length: ROUNDS }, (_, at) => [fileOf(at + 1), contentOf(at + 1, { size: SIZE })] as const),
    );
    const others = new SimulatedModel(oneFile);
    const worker = new ReadingWorker({ rounds: ROUNDS, size: SIZE, said: 40, writes: 'one.txt' }, () =>
      performance.now(),
    );
    const isWorker = (body: string): boolean => body.includes('You are a worker of Autonomous.');
    const answer: SimulatedModel['answer'] = (path, body) => (isWorker(body) ? worker : others).answer(path, body);
    await using world = await crashWorld(programs, 0, oneFile, { model: { answer }, files, thinking: 200 });
    const options = {
      models: { planner: model, worker: model, reviewer: model, summarizer: model },
      attempt: { turns: 1_000, tokens: 1_000_000_000, microUsd: 1_000_000_000 },
      budgetMicroUsd: null,
    };
    const more = { BRIEF_OPTIONS: JSON.stringify(options) };
    const random = randomOf(SEED);
    for (let kill = 1; kill <= KILLS; kill++) {
      const owner = world.start(true, more);
      // Somewhere in its part of the work, at whatever moment that is.
      const until = Math.floor(((kill - 1) * ROUNDS) / KILLS) + 5 + random(Math.floor(ROUNDS / KILLS / 2));
      await soon('its requests', () => world.server.bill.length >= until);
      await new Promise((resolve) => setTimeout(resolve, random(50)));
      owner.kill('SIGKILL');
      await owner.exit;
    }
    const last = await world.start(true, more).exit;
    expect(last, last.stderr.slice(-1500)).toMatchObject({ code: 0 });
    const state = await world.state();
    expect([...state.jobs.values()].map(({ status, reason }) => [status, reason])).toEqual([['completed', null]]);
    expect(world.git('show', 'HEAD:one.txt')).toBe(`${ROUNDS} files were read.\n`);
    expect(world.server.refused).toEqual([]);
    const lowest = pricesAt(PRICES, model, 0)?.upTo ?? Number.POSITIVE_INFINITY;
    expect(Math.max(...world.server.bill.map(({ usage }) => inputTokens(usage)))).toBeLessThanOrEqual(lowest);
    const conversations = new Set([...state.spends.values()].map((row) => `${row.session_id} ${row.conversation}`));
    expect(conversations.size).toBeGreaterThan(state.sessions.size);
    expect([...state.features.values()].map((row) => [row.status, row.retry_count])).toEqual([['completed', 0]]);
    expect(underWay(world, state)).toEqual([]);
    expect(moneyOf(world, state)).toMatchObject({ invented: [], lost: 0 });
  });
});
