/** An eval on the histories of real packages: its tasks, its runs and its figures. */
import { expect, test } from 'vitest';
import { COSTS_MORE, FAILS, SOLVES } from '../../support/eval/evalModel.ts';
import { evalWorld, variant } from '../../support/eval/evalWorld.ts';
import { PACKAGES } from '../../support/mistakes/packages.ts';

const VARIANTS = [variant('solves', SOLVES), variant('fails', FAILS), variant('costs more', COSTS_MORE)];

test('compares three models on a task, resumes by paying nothing, and leaves the repository as it was', async () => {
  await using of = await evalWorld(PACKAGES.MS);
  const { world } = of;
  const ended = await of.run({ variants: VARIANTS });
  expect(ended.stopped).toBeNull();
  expect(ended.tasks.map(({ task }) => [task.title, task.category, task.brief])).toEqual([
    ['Weeks, long', '.', `Weeks, long\n\n${PACKAGES.MS.changes[3]?.description}`],
  ]);
  expect(ended.results.map(({ variant: name, outcome }) => [name, outcome])).toEqual([
    ['solves', 'passed'],
    ['fails', 'failed'],
    ['costs more', 'passed'],
  ]);
  const [solves, fails, costsMore] = ended.results;
  expect(fails?.reason).toContain('the test command `node --test` failed (exit code 1)');
  expect(fails?.reason).toContain('long-weeks');
  expect(costsMore?.microUsd).toBeGreaterThan(solves?.microUsd ?? 0);
  expect(ended.results.reduce((sum, { microUsd }) => sum + microUsd, 0)).toBe(
    world.server.bill.reduce((sum, { microUsd }) => sum + microUsd, 0),
  );
  expect(ended.results.reduce((sum, { turns }) => sum + turns, 0)).toBe(world.server.bill.length);
  expect(ended.spentMicroUsd).toBe(ended.results.reduce((sum, { microUsd }) => sum + microUsd, 0));

  const { length } = world.server.requests;
  const again = await of.run({ variants: VARIANTS });
  expect(again.results).toEqual(ended.results);
  expect(world.server.requests).toHaveLength(length);
  expect(world.git('status', '--porcelain')).toBe('');
});
