/** 100 kills of an agent and 100 of the owner over it, in mid-session: every attempt ends typed, no process is left, no call stays open. */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyAssets, nodeBundle } from '../esbuild.mjs';
import { type AgentKillsOutcome, killAgents, killOwners, type Programs } from '../test/support/agentKills.ts';
import { show } from './table.ts';

const KILLS = Number(process.env['KILLS'] ?? 100);
/** `agent` or `owner`: that one alone. */
const ONLY = process.env['ONLY'];
const seed = Number(process.env['SEED'] ?? 1);

/** Inside node_modules, so that packages resolve as they do for the sources. */
async function makePrograms(): Promise<Programs> {
  const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'agent-kills-'));
  const sources = [
    new URL('../test/support/agentOwner.ts', import.meta.url),
    new URL('../test/support/agentWorker.ts', import.meta.url),
  ];
  const entries = sources.map((url) => fileURLToPath(url));
  await copyAssets(folder);
  await build({ ...nodeBundle(entries, folder), entryNames: '[name]' });
  const wasm = join(folder, 'sql-wasm.wasm');
  copyFileSync(fileURLToPath(import.meta.resolve('sql.js/dist/sql-wasm.wasm')), wasm);
  return { folder, wasm };
}

function row(what: string, { kills, attempts, interruptions, job, left, open }: AgentKillsOutcome, ms: number) {
  const ends = Object.entries(attempts).map(([status, count]) => `${count} ${status}`);
  const typed = !Object.keys(attempts).some((status) => status === 'running');
  const held = typed && left.length === 0 && open === 0 && job === 'completed';
  const told = held ? 'held' : 'BROKEN';
  return [what, kills, interruptions, ends.join(', '), job, left.length, open, Math.round(ms / 1000), told];
}

const programs = await makePrograms();
const root = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-kills-')));
try {
  const rows: (string | number)[][] = [];
  for (const [what, kill] of [
    ['agent', killAgents],
    ['owner', killOwners],
  ] as const) {
    if (ONLY !== undefined && ONLY !== what) continue;
    const begun = performance.now();
    const done = await kill(root, programs, KILLS, seed);
    rows.push(row(what, done, performance.now() - begun));
    if (done.left.length > 0) console.log(done.left.join('\n'));
  }
  const head = ['killed', 'kills', 'interruptions', 'attempts', 'job', 'processes left', 'calls open', 's', ''];
  show(`Kills in mid-session (seed ${seed})`, head, rows);
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  rmSync(programs.folder, { recursive: true, force: true, maxRetries: 3 });
}
