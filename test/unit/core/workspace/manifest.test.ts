import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createManifestFiles, followManifests } from '../../../../src/adapters/files/manifestFiles.ts';
import {
  indexFiles,
  jobFiles,
  jobManifest,
  jobsIndex,
  manifestStatus,
} from '../../../../src/core/workspace/manifest.ts';
import type { Evidence } from '../../../../src/shared/job/evidence.ts';
import { JOB_STATUSES } from '../../../../src/shared/job/rows.ts';
import type { Change } from '../../../../src/shared/workspace/state.ts';
import {
  approvalRow,
  attemptRow,
  jobRow,
  phaseRow,
  sessionRow,
  spendRow,
  stateOf,
  verdict,
} from '../../../support/state/builders.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

test('the index names every job and the selected one, in the folder of the first job', () => {
  const state = stateOf({
    jobs: [
      jobRow({ id: 'b', job_dir: '/elsewhere/ws/b', created_at: '2026-01-02T00:00:00.000Z' }),
      jobRow({ id: 'a', job_dir: '/jobs/ws/a', created_at: '2026-01-01T00:00:00.000Z', status: 'completed' }),
      jobRow({ id: 'imported', job_dir: '', created_at: '2025-01-01T00:00:00.000Z', status: 'completed' }),
    ],
  });
  const jobs = { a: '/jobs/ws/a', b: '/elsewhere/ws/b', imported: '' };
  expect(jobsIndex(state)).toEqual({ current_job_id: 'imported', jobs });
  state.meta = { ...state.meta, current_job: 'a' };
  expect(jobsIndex(state)).toEqual({ current_job_id: 'a', jobs });
  expect(indexFiles(state).map(({ path }) => path)).toEqual(['/jobs/ws/jobs_index.json']);
  expect(jobsIndex(stateOf({}))).toEqual({ current_job_id: null, jobs: {} });
  expect(indexFiles(stateOf({}))).toEqual([]);
});

test('the index follows the selection, and is the only one whatever folder this owner has for jobs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-manifest-'));
  const [first, other] = [join(folder, 'first'), join(folder, 'other')];
  const job = (id: string, dir: string, created_at: string) =>
    jobRow({ id, status: 'completed', job_dir: join(dir, id), created_at });
  const current = () => JSON.parse(readFileSync(join(first, 'jobs_index.json'), 'utf8')).current_job_id;
  try {
    for (const dir of [first, other]) mkdirSync(dir);
    // As an older version left it.
    writeFileSync(join(other, 'jobs_index.json'), '{"current_job_id":"gone"}');
    const state = stateOf({
      jobs: [job('a', first, '2026-01-01T00:00:00.000Z'), job('b', other, '2026-01-02T00:00:00.000Z')],
    });
    state.meta = { ...state.meta, current_job: 'b' };
    let tell: (event: never, changes: readonly Change[]) => void = () => undefined;
    const subscribe = (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    };
    const clock = new FakeClock();
    const following = followManifests({ store: { state, subscribe }, jobsDir: other, clock });
    await following.written();
    expect([current(), readdirSync(other)]).toEqual(['b', []]);
    state.meta = { ...state.meta, current_job: 'a' };
    tell(undefined as never, [{ table: 'meta', put: state.meta }]);
    clock.advance(1_000);
    await following.written();
    expect(current()).toBe('a');
    await following.close();
    expect(readdirSync(other)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("seed 001's words for the status", () => {
  const words = JOB_STATUSES.map((status) => manifestStatus(stateOf({}), jobRow({ status })));
  expect(words).toEqual([
    'PENDING',
    'RUNNING',
    'AWAITING_STEWARD',
    'PAUSED',
    'WAITING',
    'COMPLETED',
    'FAILED',
    'CANCELLED',
  ]);
  const stuck = stateOf({ approvals: [approvalRow({ kind: 'stuck', status: 'pending' })] });
  expect(manifestStatus(stuck, jobRow({ status: 'awaiting_steward' }))).toBe('STUCK');
});

test('the manifest tells runs, interventions, evidence, cost and time', () => {
  const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  const session = (id: number, minute: number) => ({ id, started_at: at(minute), ended_at: at(minute + 1) });
  const state = stateOf({
    jobs: [jobRow({ status: 'failed', reason: 'out of attempts', brief: 'all tests pass', baseline: 'abc' })],
    phases: [phaseRow({ status: 'failed' }), phaseRow({ id: 2, number: 2, status: 'pending' })],
    sessions: [
      sessionRow({ ...session(1, 0), role: 'planner', status: 'completed' }),
      sessionRow({ ...session(2, 2), executor: 'cline' }),
      sessionRow(session(3, 4)),
    ],
    attempts: [
      attemptRow({ id: 1, session_id: 2, feature_id: 1, status: 'stuck', verdict: null, started_at: at(2) }),
      attemptRow({
        id: 2,
        session_id: 3,
        feature_id: null,
        status: 'succeeded',
        verdict: verdict({ verdict: 'REJECTED' }),
        started_at: at(4),
      }),
    ],
    approvals: [approvalRow({ id: 7, kind: 'stuck', status: 'approved', requested_at: at(3) })],
    spends: [spendRow({ status: 'settled', settled_micro_usd: 1_500_000 })],
  });
  const manifest = jobManifest(state, 'job-1');
  expect(manifest).toMatchObject({
    status: 'FAILED',
    phase: { number: 1, status: 'failed' },
    git: { baseline_hash: 'abc', job_branch: 'autonomous/job-1' },
    metrics: { cumulative_cost_usd: 1.5, cumulative_time_seconds: 180 },
    acceptance_criteria_from_prompt: 'all tests pass',
    is_goal_achieved: false,
    final_stop_reason: 'out of attempts',
  });
  expect(manifest.history.map((one) => (one.kind === 'agent_run' ? `${one.agent} ${one.result}` : one.about))).toEqual([
    'planner COMPLETED',
    'worker STUCK',
    'stuck',
    'supervisor RETRY',
  ]);
  const by = manifest.history.flatMap((one) => (one.kind === 'agent_run' ? [one.executor] : []));
  expect(by).toEqual(['builtin', 'cline', 'builtin']);
  expect(() => jobManifest(state, 'nope')).toThrow('there is no job nope');
});

const evidence = (n: number): Evidence => ({
  command: `check ${n}`,
  exitCode: 0,
  ended: null,
  durationMs: 1,
  artifact: `artifact-${n}`,
  tail: 'x'.repeat(4_000),
  commit: 'abc',
  sandboxed: true,
});

test('a long job has a file of bounded size: artifacts by name, the newest ones, and short summaries', () => {
  const attempts = Array.from({ length: 200 }, (_, index) =>
    attemptRow({ id: index + 1, evidence: [evidence(2 * index), evidence(2 * index + 1)], summary: 's'.repeat(9_000) }),
  );
  const manifest = jobManifest(stateOf({ jobs: [jobRow()], attempts }), 'job-1');
  expect(manifest.evidence).toHaveLength(100);
  expect(manifest.evidence_omitted).toBe(300);
  const { tail: _tail, ...newest } = evidence(399);
  expect(manifest.evidence.at(-1)).toEqual(newest);
  expect(JSON.stringify(manifest).length).toBeLessThan(200 * 1_000);
});

test('the files are replaced whole, in order, and only when they changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-manifest-'));
  try {
    const state = stateOf({ jobs: [jobRow({ job_dir: join(folder, 'job-1') })] });
    const files = createManifestFiles();
    await Promise.all([
      files.put([...jobFiles(state, 'job-1'), ...indexFiles(state)]),
      files.put([{ path: join(folder, 'x.json'), text: '1' }]),
    ]);
    expect(JSON.parse(readFileSync(join(folder, 'job-1', 'job_manifest.json'), 'utf8'))).toMatchObject({
      status: 'RUNNING',
    });
    expect(readdirSync(folder).sort()).toEqual(['job-1', 'jobs_index.json', 'x.json']);
    writeFileSync(join(folder, 'x.json'), 'touched');
    await files.put([{ path: join(folder, 'x.json'), text: '1' }]);
    expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('touched');
    // Of what hardly changes any more no text is kept, to be compared with: it would be one for each job for ever.
    for (let time = 0; time < 2; time++) await files.put([{ path: join(folder, 'x.json'), text: '1' }], [folder]);
    expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('1');
    await expect(files.put([{ path: join(folder, 'x.json', 'y'), text: '' }])).rejects.toMatchObject({ code: 'DISK' });
    await files.put([{ path: join(folder, 'x.json'), text: '2' }]);
    expect(readFileSync(join(folder, 'x.json'), 'utf8')).toBe('2');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('they follow the state: what goes on is written at the start, what changes a little later, the rest on close', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-manifest-'));
  const job = (id: string, status: 'running' | 'completed') => jobRow({ id, status, job_dir: join(folder, id) });
  const status = (id: string) => JSON.parse(readFileSync(join(folder, id, 'job_manifest.json'), 'utf8')).status;
  try {
    const state = stateOf({ jobs: [job('a', 'running'), job('b', 'completed')] });
    let tell: (event: never, changes: readonly Change[]) => void = () => undefined;
    const store = {
      state,
      subscribe: (listener: typeof tell) => {
        tell = listener;
        return () => undefined;
      },
    };
    const clock = new FakeClock();
    const following = followManifests({ store, jobsDir: folder, clock });
    await following.written();
    expect(readdirSync(folder).sort()).toEqual(['a', 'jobs_index.json']);
    state.jobs.set('a', job('a', 'completed'));
    tell(undefined as never, [
      { table: 'jobs', put: job('a', 'completed') },
      { table: 'spends', put: spendRow({ job_id: null }) },
    ]);
    clock.advance(1_000);
    await following.written();
    expect(status('a')).toBe('COMPLETED');
    tell(undefined as never, [{ table: 'approvals', put: approvalRow({ job_id: 'b' }) }]);
    await following.close();
    expect(status('b')).toBe('COMPLETED');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what a killed owner could not write is written by the next one, where the folder is still there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-manifest-'));
  const job = (id: string) => jobRow({ id, status: 'completed', job_dir: join(folder, id) });
  const state = stateOf({ jobs: [job('killed'), job('empty'), job('gone')] });
  const file = (id: string) => join(folder, id, 'job_manifest.json');
  try {
    for (const id of ['killed', 'empty']) mkdirSync(join(folder, id));
    writeFileSync(file('killed'), JSON.stringify({ status: 'RUNNING' }));
    const following = followManifests({
      store: { state, subscribe: () => () => undefined },
      jobsDir: folder,
      clock: new FakeClock(),
    });
    await following.written();
    for (const id of ['killed', 'empty'])
      expect(JSON.parse(readFileSync(file(id), 'utf8'))).toMatchObject({ status: 'COMPLETED' });
    expect(readdirSync(folder).sort()).toEqual(['empty', 'jobs_index.json', 'killed']);
    await following.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('large files are written less often, and what cannot be written is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-manifest-'));
  const job = jobRow({ job_dir: join(folder, 'a'), brief: 'long '.repeat(40_000) });
  const file = join(folder, 'a', 'job_manifest.json');
  try {
    const state = stateOf({ jobs: [job] });
    const listeners: ((event: never, changes: readonly Change[]) => void)[] = [];
    const subscribe = (listener: (event: never, changes: readonly Change[]) => void) => {
      listeners.push(listener);
      return () => undefined;
    };
    const clock = new FakeClock();
    const failures: unknown[] = [];
    const following = followManifests({
      store: { state, subscribe },
      jobsDir: folder,
      clock,
      failed: (thrown) => failures.push(thrown),
    });
    await following.written();
    const change = (): void => {
      state.jobs.set(job.id, { ...job, status: 'paused' });
      listeners[0]?.(undefined as never, [{ table: 'jobs', put: job }]);
    };
    change();
    clock.advance(1_500);
    await following.written();
    expect(readFileSync(file, 'utf8')).toContain('"RUNNING"');
    clock.advance(1_500);
    await following.written();
    expect(readFileSync(file, 'utf8')).toContain('"PAUSED"');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    state.jobs.set(job.id, job);
    change();
    state.jobs.set(job.id, { ...job, status: 'failed' });
    await following.close();
    expect(failures).toMatchObject([{ code: 'DISK', message: expect.stringContaining(`cannot write ${file}: `) }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
