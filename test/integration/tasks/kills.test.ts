import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { killTasks } from '../../support/taskKills.ts';

test('an owner that is killed for real at any change of a file runs no finished step again and loses no result', async () => {
  const root = mkdtempSync(join(inject('tempRoot'), 'task-kills-'));
  const done = await killTasks(root, 10, 7);
  expect(done).toMatchObject({ kills: 10, twice: [], lost: [] });
  expect(done.steps).toBe(8 * done.tasks);
});
