/** Which files a checkpoint looks at: those that the session's own tools wrote, or all where anything may have changed. */
import { expect, test } from 'vitest';
import { attempt, bash, report, scenarioOf, write } from '../../support/briefs.ts';
import { LoopWorld } from '../../support/loopWorld.ts';

const turns = (...calls: Parameters<typeof attempt>) => ({ turns: calls.flatMap((call) => attempt(call).turns) });

test('after rounds of writes alone only these files are looked at, after a command the whole tree', async () => {
  const work = turns(
    write('src/one.txt', '1'),
    write('./two.txt', '2'),
    bash('ls'),
    write('src/one.txt', 'again'),
    write('../outside.txt', 'refused'),
    report('done'),
  );
  const scenario = scenarioOf([{ verify: ['ls'], features: [{ name: 'A', attempts: [work] }] }]);
  await using world = await LoopWorld.open({ scenario });
  await world.run();
  const looked = world.git.looked.slice(world.git.looked.findIndex((paths) => paths !== null));
  // A write that was refused may have left something behind, and after a session the whole tree counts.
  expect(looked.slice(0, 5)).toEqual([['src/one.txt'], ['two.txt'], null, ['src/one.txt'], null]);
  expect(looked.slice(5).every((paths) => paths === null)).toBe(true);
  expect(world.git.files('main')).toMatchObject({ 'src/one.txt': 'again', 'two.txt': '2' });
});
