/** Commands of a session of the built-in agent, in the sandbox: what one of them leaves for the next, and for `read`. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { approves, attempt, bash, report, scenarioOf, write } from '../../support/briefs.ts';
import { EngineWorld } from '../../support/engineWorld.ts';
import { toolAnswers } from '../../support/toolAnswers.ts';

const read = (file_path: string) => ({ tool: 'read', input: { file_path } });

/** A worker that makes these calls, each in a turn of its own, and one of the reviewer. */
function scenarioWith(calls: readonly ReturnType<typeof bash>[], reviewer: readonly ReturnType<typeof bash>[] = []) {
  const one = (call: ReturnType<typeof bash>) => attempt(call).turns;
  const { turns } = attempt(write('A.txt', 'A'), report('done'));
  const features = [{ name: 'A', attempts: [{ turns: [...calls.flatMap(one), ...turns] }] }];
  return scenarioOf([{ features, reviews: [{ turns: reviewer.flatMap(one), ...approves }] }]);
}

/** Folders of this workspace's commands that are there. */
function folders(world: EngineWorld): string[] {
  const homes = join(dirname(world.job.job_dir), '.homes', 'default', 'run');
  return existsSync(homes) ? readdirSync(homes) : [];
}

test('files of one command are there for the next one and for read, and are removed with the session', async () => {
  const scenario = scenarioWith(
    [bash('seq 1 3 > "$TMPDIR/numbers.log"'), bash('tail -n 1 "$TMPDIR/numbers.log"'), read('$TMPDIR/numbers.log')],
    [bash('ls -A "$TMPDIR"; echo mine > "$TMPDIR/mine.txt"'), read('$TMPDIR/mine.txt')],
  );
  await using world = await EngineWorld.open({ scenario, sandbox: 'needed' });
  await world.submit({ gates: ['merge'] });
  await world.asked('merge');

  const [, next, shown] = toolAnswers(world, 'worker');
  expect(next).toContain('3\\n[exit code 0]');
  expect(shown).toContain('     1\\t1\\n     2\\t2\\n     3\\t3');
  const [listed, own] = toolAnswers(world, 'reviewer');
  expect(listed).toBe('"(no output)\\n[exit code 0]"');
  expect(own).toContain('1\\tmine');
  expect(folders(world)).toEqual([]);
});
