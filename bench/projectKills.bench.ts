/** 500 real kills in mid-conversation: what was acknowledged is there once, nothing is said or paid for twice. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killTalks } from '../test/support/talkKills.ts';
import { show } from './table.ts';

const KILLS = 500;
const seed = Number(process.env['SEED'] ?? 1);
const root = mkdtempSync(join(tmpdir(), 'autonomous-kills-'));
try {
  const begun = performance.now();
  const done = await killTalks(root, KILLS, seed);
  const held = done.lost.length + done.twice.length + done.saidTwice.length === 0 && done.settled <= done.replies;
  show(
    `Kills in mid-conversation (seed ${seed}, ${Math.round((performance.now() - begun) / 1000)} s)`,
    ['kills', 'acknowledged', 'lost', 'twice', 'said', 'said twice', 'booked', 'replies', 'shortened', ''],
    [
      [
        done.kills,
        done.acknowledged,
        done.lost.length,
        done.twice.length,
        done.said,
        done.saidTwice.length,
        done.settled,
        done.replies,
        done.shortened,
        held ? 'held' : 'BROKEN',
      ],
    ],
  );
  if (!held) console.log(JSON.stringify(done));
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
