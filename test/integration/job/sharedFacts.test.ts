/** What the sessions of a job share: one text, cached by its own mark, the same after a restart and in the preview. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { previewJob } from '../../../src/app/open/readOnlyWorkspace.ts';
import { scenarioOf } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

interface Block {
  readonly type: string;
  readonly text: string;
  readonly cache_control?: object;
}

/** The texts of the first message of a request. */
function blocksOf(body: string | undefined): readonly Block[] {
  const { messages } = JSON.parse(body ?? '{"messages":[]}') as { messages: { content: Block[] }[] };
  return messages[0]?.content ?? [];
}

test('workers of different phases begin with the same bytes, over a restart, as the preview shows them', async () => {
  const scenario = scenarioOf(['A', 'B', 'C'].map((name) => ({ features: [{ name }] })));
  await using world = await EngineWorld.open({ scenario });
  symlinkSync('AGENTS.md', join(world.repo, 'CLAUDE.md'));
  world.git('add', 'CLAUDE.md');
  world.userCommits({ 'AGENTS.md': 'Tabs, no spaces.\n', 'src/a.ts': 'a' }, 'Add a');
  await world.submit({ gates: ['plan', 'phase'], mergeMode: 'branch' });
  await world.asked('plan');
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.approve('plan');
  const preview = await previewJob(world.ownerOptions, null);
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.asked('phase');
  await world.restart();
  for (const _ of [1, 2, 3]) await world.approve('phase');
  await world.is('completed');

  const workers = ['A', 'B', 'C'].map((name) => blocksOf(world.sent('worker', name)[0]?.body));
  const [first] = workers[0] ?? [];
  for (const [index, [shared, phase, own]] of workers.entries()) {
    expect(shared).toEqual(first);
    expect(phase?.text).toContain(`# Phase ${index + 1}: `);
    expect(phase?.cache_control).toEqual({ type: 'ephemeral' });
    expect(own?.text).toMatch(/^Assignment: worker \| /);
  }
  expect(first?.cache_control).toEqual({ type: 'ephemeral' });
  for (const text of [
    '# Setup of the clone\n',
    '# The last commits of the base, newest first\n',
    '\nAdd a\n',
    '# Brief\nBuild it.',
  ])
    expect(first?.text).toContain(text);
  expect(blocksOf(world.sent('planner')[0]?.body)[0]).toEqual(first);
  expect(blocksOf(world.sent('reviewer')[0]?.body)[0]).toEqual(first);
  expect(blocksOf(preview.body)).toEqual(workers[0]);
});
