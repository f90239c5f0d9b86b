/** 1,000 real kills of an owner in the middle of tasks: no finished step runs again, no result is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killTasks } from '../test/support/taskKills.ts';
import { show } from './table.ts';

const KILLS = Number(process.env['KILLS'] ?? 1_000);
const seed = Number(process.env['SEED'] ?? 1);
const root = mkdtempSync(join(tmpdir(), 'autonomous-kills-'));
try {
  const begun = performance.now();
  const done = await killTasks(root, KILLS, seed);
  const held = done.twice.length + done.lost.length === 0;
  show(
    `Kills in the middle of tasks, at changes of files (seed ${seed}, ${Math.round((performance.now() - begun) / 1000)} s)`,
    ['kills', 'tasks', 'steps', 'twice', 'lost', 'cut off and again', ''],
    [[done.kills, done.tasks, done.steps, done.twice.length, done.lost.length, done.again, held ? 'held' : 'BROKEN']],
  );
  if (!held) console.log(JSON.stringify(done, null, 2));
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
