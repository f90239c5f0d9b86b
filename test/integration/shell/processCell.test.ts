/** Cells of commands whose process was killed. */
import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';

/** As another thread has it. */
async function openCell() {
  vi.resetModules();
  const { openProcessCgroup } = await import('../../../src/adapters/platform/process/cgroup.ts');
  return openProcessCgroup(10, systemClock());
}

const HIERARCHIES = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].filter(existsSync);

/** Paths of the cells with our process number. Earlier test files of this process may have left some for a moment. */
const ownCells = (): readonly string[] =>
  HIERARCHIES.flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => name.startsWith('autonomous-') && name.split('-')[2] === String(process.pid))
      .map((name) => join(parent, name)),
  );

test('a thread removes the cells of dead processes, and keeps those of other threads', async ({ skip }) => {
  const before = ownCells();
  const first = await openCell();
  if (first === null) return skip('there is no bound of the kernel on this machine');
  const [own = ''] = ownCells().filter((path) => !before.includes(path));
  const [, namespace, pid, start] = basename(own).split('-');
  const cgroup = (space: number) =>
    join(dirname(own), `autonomous-${space}-${pid}-${Number(start) - 1}-${before.length}`);
  // A killed process whose number is ours now, and a process that only another PID namespace knows.
  const [dead, foreign] = [cgroup(Number(namespace)), cgroup(Number(namespace) + 1)];
  for (const path of [dead, foreign]) mkdirSync(path);
  const second = await openCell();
  const added = ownCells().filter((path) => !before.includes(path));
  rmdirSync(foreign);
  expect(second).not.toBeNull();
  expect(added).toContain(own);
  expect(added).toContain(foreign);
  expect(added).not.toContain(dead);
  expect(added).toHaveLength(3);
  first.remove();
  second?.remove();
  expect(ownCells().filter((path) => added.includes(path))).toEqual([]);
});
