/** Which files a checkpoint looks at: those that the session's own tools wrote, or all where anything may have changed. */
import { expect, test } from 'vitest';
import type { BackgroundCommand } from '../../../../../src/engine/session/commandPorts.ts';
import { attempt, bash, report, scenarioOf, write } from '../../../../support/demo/briefs.ts';
import { LoopWorld } from '../../../../support/world/loopWorld.ts';

const turns = (...calls: Parameters<typeof attempt>) => ({ turns: calls.flatMap((call) => attempt(call).turns) });

/** A command that runs until it is stopped. */
function background(stopped: () => void = () => undefined): BackgroundCommand {
  let end: BackgroundCommand['end'] = null;
  return {
    get end() {
      return end;
    },
    take: () => '',
    whole: () => undefined,
    changed: () => Promise.resolve(),
    stop: async () => {
      stopped();
      end = { exitCode: null, ended: 'aborted', notes: [] };
    },
  };
}

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

test('while a command runs in the background, the whole tree is looked at, and once more after it', async () => {
  const behind = (input: Record<string, unknown>) => ({ tool: 'bash_output', input });
  const work = turns(
    write('one.txt', '1'),
    { tool: 'bash', input: { command: 'serve', run_in_background: true } },
    write('two.txt', '2'),
    write('three.txt', '3'),
    behind({ bash_id: 1, stop: true }),
    write('four.txt', '4'),
    write('five.txt', '5'),
    report('done'),
  );
  const scenario = scenarioOf([{ verify: ['ls'], features: [{ name: 'A', attempts: [work] }] }]);
  const command = background();
  await using world = await LoopWorld.open({ scenario, start: async () => command });
  await world.run();
  const looked = world.git.looked.slice(world.git.looked.findIndex((paths) => paths !== null));
  expect(looked.slice(0, 6)).toEqual([['one.txt'], null, null, null, null, ['four.txt']]);
});

test('a command in the background ends with its attempt, before the tree is committed', async () => {
  const work = turns(
    { tool: 'bash', input: { command: 'serve', run_in_background: true } },
    write('A.txt', 'A'),
    report('done'),
  );
  const scenario = scenarioOf([{ verify: ['ls'], features: [{ name: 'A', attempts: [work] }] }]);
  const order: string[] = [];
  const command = background(() => order.push('stopped'));
  const ls = () => {
    order.push('verified');
    return { exitCode: 0 };
  };
  await using world = await LoopWorld.open({ scenario, start: async () => command, commands: { ls } });
  await world.run();
  expect(order.slice(0, 2)).toEqual(['stopped', 'verified']);
});
