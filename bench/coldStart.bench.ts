/** `autonomous board --json` on a workspace of 500 features and 5,000 events, against a Node that does nothing. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyAssets, nodeBundle } from '../esbuild.mjs';
import { systemClock } from '../src/adapters/clock.ts';
import { ownState } from '../src/app/open/store.ts';
import { DEFAULT_OPTIONS } from '../src/core/job/defaults.ts';
import { largePlan } from '../test/support/scale/largePlan.ts';
import { median, round, show } from './table.ts';

const TARGET = 6;
const ROUNDS = 15;
const FEATURES = 500;
const EVENTS = 5_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const plan = largePlan(FEATURES);

/** A job under way, with calls and their money as most of its events. */
async function fill(projectDir: string, configDir: string): Promise<void> {
  const stateDir = join(projectDir, '.autonomous');
  const places = { projectDir, stateDir, jobsDir: join(projectDir, 'jobs'), configDir, runtimeDir: projectDir };
  const wasmFile = fileURLToPath(import.meta.resolve('sql.js/dist/sql-wasm.wasm'));
  const store = await ownState({
    places,
    clock: systemClock(),
    wasmFile,
    version: 'bench',
    isShipped: async () => false,
    problem: ({ what }) => console.error(what),
  });
  const job = { id: 'j', project_id: 'default', title: 'Bench', brief: 'Write files.', options: DEFAULT_OPTIONS };
  await store.commit({ type: 'project_created', project: { id: 'default', model: null, workdir: null } });
  await store.commit({
    type: 'brief_submitted',
    job: { ...job, job_dir: join(places.jobsDir, 'j'), branch: 'autonomous/j' },
  });
  const head = 'a'.repeat(40);
  await store.commit({
    type: 'clone_made',
    job_id: 'j',
    clone_dir: join(places.jobsDir, 'j', 'work'),
    baseline: head,
    base_branch: 'main',
    snapshot: false,
    head,
  });
  await store.commit({ type: 'setup_finished', job_id: 'j', evidence: [], head });
  await store.commit({ type: 'plan_proposed', job_id: 'j', plan_version: 1, plan, by: 'planner', session: null });
  const ids = {
    phases: plan.phases.map((phase) => ({
      id: store.nextIds('phases', 1)[0] ?? 0,
      features: store.nextIds('features', phase.features.length),
    })),
  };
  await store.commit({ type: 'plan_accepted', job_id: 'j', plan_version: 1, ids, by: 'steward' });
  await store.commit({
    type: 'session_started',
    id: 1,
    job_id: 'j',
    project_id: 'default',
    role: 'worker',
    model: 'claude-sonnet-5-5',
    phase_id: 1,
    notes: [],
  });
  const usage = { input: 120, output: 340, cacheRead: 4_000, cacheWrite5m: 200, cacheWrite1h: 0 };
  const pairs = Math.ceil((EVENTS - store.state.meta.last_seq) / 2);
  const calls = Array.from({ length: pairs }, async (_, at) => {
    const call = {
      id: at + 1,
      session_id: 1,
      provider: 'anthropic',
      model: 'claude-sonnet-5-5',
      price_version: '1',
    } as const;
    await store.commit({ type: 'call_reserved', ...call, day: '2026-11-21', micro_usd: 200_000 });
    await store.commit({ type: 'call_settled', id: at + 1, usage, micro_usd: 4_321 });
  });
  await Promise.all(calls);
  await store.close();
}

function timed(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

const cache = join(ROOT, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const dist = mkdtempSync(join(cache, 'bench-'));
const folder = mkdtempSync(join(tmpdir(), 'autonomous-bench-'));
try {
  await copyAssets(dist);
  await build(nodeBundle(['src/cli.ts', 'src/worker.ts'], dist, true));
  const projectDir = join(folder, 'repo');
  mkdirSync(projectDir);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    AUTONOMOUS_CONFIG_DIR: join(folder, 'config'),
    AUTONOMOUS_RUNTIME_DIR: join(folder, 'run'),
  };
  await fill(projectDir, env.AUTONOMOUS_CONFIG_DIR);
  const cli = join(dist, 'cli.js');
  const runs = { nothing: [] as number[], version: [] as number[], board: [] as number[] };
  for (let at = 0; at < ROUNDS; at++) {
    runs.nothing.push(timed(['-e', '0'], folder, env));
    runs.version.push(timed([cli, '--version'], folder, env));
    runs.board.push(timed([cli, 'board', '--json'], projectDir, env));
  }
  const nothing = median(runs.nothing);
  const row = (what: string, values: readonly number[]): (string | number)[] => [
    what,
    round(median(values)),
    round(median(values) / nothing, 2),
  ];
  const ratio = median(runs.board) / nothing;
  show(
    `Cold start (median of ${ROUNDS}; ${FEATURES} features, ${EVENTS} events)`,
    ['what', 'ms', 'to node -e 0', 'target', ''],
    [
      [...row('node -e 0', runs.nothing), '', ''],
      [...row('autonomous --version', runs.version), '', ''],
      [...row('autonomous board --json', runs.board), `<= ${TARGET}`, ratio <= TARGET ? 'met' : 'MISSED'],
    ],
  );
} finally {
  for (const path of [dist, folder]) rmSync(path, { recursive: true, force: true });
}
