/** A worker's `explore` in a job: paid on the summarizer's model under the feature and its attempt, and readable in the transcript. */
import { expect, test } from 'vitest';
import { readTranscript } from '../../../src/app/open/transcripts.ts';
import { attempt, report, scenarioOf, write } from '../../support/demo/briefs.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('explore is booked under the feature and the attempt that asked, and no session of its own is left', async () => {
  const ask = { tool: 'explore', input: { question: 'Where is the manual?' } };
  const work = { turns: [ask, write('A.txt', 'A\n'), report('done')].flatMap((one) => attempt(one).turns) };
  const scenario = scenarioOf([{ features: [{ name: 'A', attempts: [work] }] }], {
    subagents: {
      replies: [
        {
          turns: [
            { text: '', calls: [{ tool: 'glob', input: { pattern: '*.md' } }] },
            { text: 'In README.md.', calls: [] },
          ],
        },
      ],
    },
  });
  await using world = await EngineWorld.open({ scenario });
  await world.run();
  const [tried] = world.attempts('A');
  expect(tried).toMatchObject({ status: 'succeeded' });
  const { worker, summarizer } = world.job.options.models;
  const booked = [...world.state.spends.values()].filter((row) => row.attempt_id === tried?.id);
  expect(booked.map(({ model }) => model)).toEqual([worker, summarizer, summarizer, worker, worker]);
  for (const row of booked)
    expect(row).toMatchObject({
      status: 'settled',
      role: 'worker',
      session_id: tried?.session_id,
      feature_id: world.feature('A').id,
      job_id: world.job.id,
    });
  expect([...world.state.sessions.values()].filter(({ status }) => status === 'running')).toEqual([]);
  const text = await readTranscript(world.ownerOptions.places, tried?.session_id ?? 0);
  expect(text).toMatch(/\*Explorer\*\n\n## explorer, .*In README\.md\./s);
  expect(text).toContain('[The answer of another model: a claim.');
});
