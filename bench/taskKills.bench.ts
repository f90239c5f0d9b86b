/** 1,000 real kills of an owner in the middle of tasks: no finished step runs again, no result is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killTasks, type TaskKillsOutcome } from '../test/support/taskKills.ts';
import { show } from './table.ts';

const KILLS = Number(process.env['KILLS'] ?? 1_000);
/** In one state folder: each life reads all of its log. */
const PER_FOLDER = 50;
const seed = Number(process.env['SEED'] ?? 1);

const begun = performance.now();
const done: TaskKillsOutcome[] = [];
for (let kills = 0; kills < KILLS; kills += PER_FOLDER) {
  const root = mkdtempSync(join(tmpdir(), 'autonomous-kills-'));
  try {
    done.push(await killTasks(root, Math.min(PER_FOLDER, KILLS - kills), seed + kills));
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}
const sum = (of: (one: TaskKillsOutcome) => number): number => done.reduce((total, one) => total + of(one), 0);
const twice = sum((one) => one.twice.length);
const lost = sum((one) => one.lost.length);
show(
  `Kills in the middle of tasks, at changes of files (seed ${seed}, ${Math.round((performance.now() - begun) / 1000)} s)`,
  ['kills', 'tasks', 'steps', 'twice', 'lost', 'cut off and again', ''],
  [
    [
      sum((one) => one.kills),
      sum((one) => one.tasks),
      sum((one) => one.steps),
      twice,
      lost,
      sum((one) => one.again),
      twice + lost === 0 ? 'held' : 'BROKEN',
    ],
  ],
);
if (twice + lost > 0) console.log(JSON.stringify(done, null, 2));
