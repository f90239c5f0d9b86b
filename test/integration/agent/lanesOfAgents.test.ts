/** Two features at once through an external agent: each lane has a process, a tree and a home of its own, and both results are merged. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { Step } from '../../fixtures/agents/script.ts';
import { scriptedAgent, startBuilt } from '../../support/agent/scriptedAgent.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { laneWorld } from '../../support/world/laneWorld.ts';

startBuilt(await testPrograms(inject('tempRoot')));

/** A file of the lane, with the marks that it finds in its home, and one file that both lanes write. */
const WRITES = [
  'case $PWD in *-2) lane=2;; *) lane=1;; esac',
  'touch $HOME/mark-$lane',
  '(cd $HOME && echo mark-*) > lane-$lane.txt',
  'echo $lane > both.txt',
].join('; ');

test('an agent works in two lanes at once; a conflict returns to it, and both features are merged', async () => {
  const turns: Step[][] = [
    [
      { do: 'wait', path: 'go' },
      { do: 'run', command: WRITES },
      { do: 'tool', name: 'report', input: { outcome: 'done', summary: 'Did it.' } },
    ],
  ];
  const entry = scriptedAgent({ turns });
  const { world } = await laneWorld([{ features: [{ name: 'A' }, { name: 'B' }] }], {
    sandbox: true,
    allowed: [entry.argv],
    files: { '.gitignore': 'go\n' },
  });
  await using _ = world;
  mkdirSync(world.places.configDir, { recursive: true });
  writeFileSync(join(world.places.configDir, 'agents.yaml'), JSON.stringify({ scripted: entry }), { mode: 0o600 });
  await world.submit({ lanes: 2, batch: 1, executors: { worker: 'scripted' } });
  // Neither ends before both have started.
  await world.until('both work', () => world.happened('attempt_started').length === 2);
  for (const lane of ['', '-2']) writeFileSync(join(`${world.job.clone_dir}${lane}`, 'go'), '');
  await world.is('completed');

  const attempts = ['A', 'B'].flatMap((name) => world.attempts(name));
  expect(attempts).toMatchObject([
    { status: 'succeeded', number: 1, lane: 0 },
    { status: 'succeeded', number: 1, lane: 1 },
  ]);
  const sessions = attempts.map(({ session_id }) => world.state.sessions.get(session_id));
  expect(sessions.map((row) => row?.executor)).toEqual(['scripted', 'scripted']);
  expect(new Set(sessions.map((row) => row?.id)).size).toBe(2);
  expect(world.happened('attempt_returned')).toMatchObject([{ cause: 'conflict', paths: ['both.txt'] }]);
  expect(world.git('log', '--format=%s', 'main^..main^2').split('\n').toSorted()).toEqual(['A', 'B']);
  // The one that was returned wrote its files again, when the other home had its mark long since.
  for (const lane of [1, 2]) expect(world.git('show', `main:lane-${lane}.txt`)).toBe(`mark-${lane}`);
  const [returned] = world.happened('attempt_returned');
  expect(world.git('show', 'main:both.txt')).toBe(returned?.id === attempts[0]?.id ? '1' : '2');
});
