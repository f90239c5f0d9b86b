/** Cells of commands whose process was killed. */
import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
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
  readdirSync(parent).filter((name) => name.startsWith('autonomous-') && name.split('-')[2] === String(process.pid));

test('a thread removes the cells of dead processes, and keeps those of other threads', async ({ skip }) => {
  const first = await openCell();
  const parent = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].find((each) => existsSync(each) && ownIn(each).length > 0);
  if (first === null || parent === undefined) return skip('there is no bound of the kernel on this machine');
  const [own = ''] = ownIn(parent);
  const [, namespace, pid, start] = own.split('-');
  // A killed process whose number is ours now.
  const dead = `autonomous-${namespace}-${pid}-${Number(start) - 1}-0`;
  // A process that only another PID namespace knows.
  const foreign = `autonomous-${Number(namespace) + 1}-${pid}-${Number(start) - 1}-0`;
  for (const name of [dead, foreign]) mkdirSync(join(parent, name));
  const second = await openCell();
  const left = ownIn(parent);
  rmdirSync(join(parent, foreign));
  expect(second).not.toBeNull();
  expect(left).toContain(own);
  expect(left).toContain(foreign);
  expect(left).not.toContain(dead);
  expect(left.filter((name) => name.startsWith(`autonomous-${namespace}-${pid}-${start}-`))).toHaveLength(2);
  first.remove();
  second?.remove();
  expect(ownIn(parent)).not.toContain(own);
});
