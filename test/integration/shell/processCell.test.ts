/** Cells of commands whose process was killed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';

/** As another thread has it. */
async function openCell() {
  vi.resetModules();
  const { openProcessCell } = await import('../../../src/adapters/shell/processCell.ts');
  return openProcessCell(10, systemClock());
}

const ownIn = (parent: string): string[] =>
  readdirSync(parent).filter((name) => name.startsWith(`autonomous-${process.pid}-`));

test('a thread takes the cells of dead processes away, and keeps those of other threads', async ({ skip }) => {
  const first = await openCell();
  const parent = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].find((each) => existsSync(each) && ownIn(each).length > 0);
  if (first === null || parent === undefined) return skip('there is no bound of the kernel on this machine');
  const left = join(parent, `autonomous-${spawnSync(process.execPath, ['--version']).pid}-0`);
  mkdirSync(left);
  const second = await openCell();
  expect(second).not.toBeNull();
  expect(existsSync(left)).toBe(false);
  expect(ownIn(parent)).toHaveLength(2);
  first.remove();
  second?.remove();
  expect(ownIn(parent)).toEqual([]);
});
