/** Two jobs without a key are one item of `approvals`, and `approve` settles both. */
import { expect, test } from 'vitest';
import { addJob } from '../../../support/state/memoryStore.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

async function twoWithoutKey() {
  const world = await terminalWorld({ provider: 'anthropic' });
  const { store } = world;
  for (const job of ['job-a', 'job-b']) {
    await addJob(store, job);
    const [id = 0] = store.nextIds('approvals', 1);
    const asked = {
      kind: 'provider',
      subject: `provider:KEY_MISSING:${id}`,
      question: 'There is no key. Try again?',
    } as const;
    const empty = { detail: '', phase_id: null, feature_id: null, commit: null, executables: [], choices: [] };
    await store.commit({ type: 'approval_requested', approval: { id, job_id: job, ...asked, ...empty } });
  }
  return world;
}

test('approvals shows one item that names the jobs', async () => {
  const world = await twoWithoutKey();
  expect(await world.run('approvals')).toBe(0);
  expect(world.out.match(/Question \d/g)).toEqual(['Question 1']);
  expect(world.out).toMatch(/Job: {6}job-a\n {2}Job: {6}job-b\n {2}One answer settles all 2\./);
  world.clear();
  await world.run('approvals', '--json');
  expect(JSON.parse(world.out)).toMatchObject({
    approvals: [{ id: 1, job_id: 'job-a', also: [{ id: 2, job_id: 'job-b' }] }],
  });
});

test('approve settles all, whichever is named, and says so', async () => {
  const world = await twoWithoutKey();
  expect(await world.run('approve', '2')).toBe(0);
  expect(world.out).toContain('Settled too, same cause: question 1 of job-a\n');
  expect([...world.store.state.approvals.values()].map(({ status }) => status)).toEqual(['approved', 'approved']);
});

test('project list counts one question', async () => {
  const world = await twoWithoutKey();
  expect(await world.run('project', 'list', '--json')).toBe(0);
  expect(JSON.parse(world.out)).toMatchObject({ projects: [{ name: 'default', questions: 1 }] });
});
