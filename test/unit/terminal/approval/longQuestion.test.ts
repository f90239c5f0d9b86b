/** A long question: its beginning where it comes by the way, the whole of it in `approvals`. */
import { expect, test } from 'vitest';
import { addJob } from '../../../support/state/memoryStore.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

test('approvals shows the whole detail of a gate, wrapped', async () => {
  const world = await terminalWorld({ provider: 'anthropic' });
  const { store } = world;
  await addJob(store, 'job-a');
  const [id = 0] = store.nextIds('approvals', 1);
  const files = Array.from({ length: 250 }, (_, index) => ` file${index}.txt | 1 +`);
  const detail = [...files, '', 'Phases:', '- 1. Core: approved', `  ${'All totals hold. '.repeat(12)}`, '  The end.'];
  const asked = { kind: 'merge', subject: 'merge', question: 'Merge?', detail: detail.join('\n') } as const;
  const empty = { phase_id: null, feature_id: null, commit: null, executables: [], choices: [] };
  await store.commit({ type: 'approval_requested', approval: { id, job_id: 'job-a', ...asked, ...empty } });

  expect(await world.run('job', 'show', 'job-a')).toBe(0);
  expect(world.out).not.toContain('The end.');
  expect(world.out).toMatch(/ {2}… \d+ more lines: autonomous approvals\n/);

  world.clear();
  expect(await world.run('approvals')).toBe(0);
  expect(world.out).toContain('\n    The end.\n');
  expect(world.out.replaceAll(/\s+/g, ' ')).toContain('All totals hold. '.repeat(12));
  expect(Math.max(...world.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});
