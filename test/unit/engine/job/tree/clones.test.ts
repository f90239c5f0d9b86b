/** Which clones of jobs are removed, what of their work is kept before, and which are left alone. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseKept } from '../../../../../src/core/job/keptWork.ts';
import { type Cleaning, keepClonesUnder, wouldClean } from '../../../../../src/engine/job/tree/clones.ts';
import type { StoreListener } from '../../../../../src/engine/state/store.ts';
import { failure } from '../../../../../src/shared/errors.ts';
import type { AttemptRow, JobRow } from '../../../../../src/shared/job/rows.ts';
import type { Event } from '../../../../../src/shared/workspace/events.ts';
import type { State } from '../../../../../src/shared/workspace/state.ts';
import { attemptRow, jobRow, stateOf } from '../../../../support/state/builders.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const ORIGIN = 'b'.repeat(40);
const TREE = 'a'.repeat(40);
const DAY = (day: number): string => `2026-11-0${day}T00:00:00.000Z`;

const job = (id: string, patch: Partial<JobRow> = {}): JobRow =>
  jobRow({ id, title: id, job_dir: `/jobs/${id}`, clone_dir: `/jobs/${id}/work/1`, ...patch });
const over = (id: string, day = 1): JobRow => job(id, { status: 'completed', ended_at: DAY(day) });
/** Ended, with changes that are kept under the hash `whole`. */
const done = (id: number, job_id: string, patch: Partial<AttemptRow> = {}): AttemptRow =>
  attemptRow({ id, job_id, status: 'succeeded', diff: 'd', kept: 'whole', ended_at: DAY(1), ...patch });

class Disk {
  readonly state: State;
  /** Each job has its folder, with its clone, git directory and checkouts of 30 bytes in all, and a manifest. */
  readonly folders = new Set<string>();
  readonly moving = new Set<string>();
  /** Hash of what is kept of an attempt; a string that begins with `!` is the code of what reading it throws. */
  readonly kept = new Map<number, string>();
  /** What happened, in order. */
  readonly done: string[] = [];
  readonly written = new Map<number, Uint8Array>();
  readonly problems: string[] = [];
  reads = 0;
  /** Looks at folders. */
  looks = 0;
  listener: StoreListener | null = null;
  checkpoint: () => Promise<string> = async () => 'left';
  remove: (folder: string) => Promise<void> = async () => undefined;

  constructor(jobs: readonly JobRow[], attempts: readonly AttemptRow[] = []) {
    this.state = stateOf({ jobs, attempts });
    for (const { id } of jobs)
      for (const part of ['', '/work', '/git', '/fresh']) this.folders.add(`/jobs/${id}${part}`);
    for (const { id, kept } of attempts) if (kept !== null) this.kept.set(id, kept);
  }

  cleaning(inHand: readonly string[] = []): Cleaning & { problem(text: string): void } {
    const { state } = this;
    return {
      jobsDir: '/jobs',
      projectDir: '/project',
      clock: new FakeClock(),
      store: {
        state,
        subscribe: (listener) => {
          this.listener = listener;
          return () => {
            this.listener = null;
          };
        },
      },
      folders: {
        isFolder: async (folder) => {
          this.looks += 1;
          return this.folders.has(folder);
        },
        bytes: async (folder) => (this.folders.has(folder) ? 10 : 0),
        isMoving: async (gitDir) => this.moving.has(gitDir),
        remove: async (folder) => {
          await this.remove(folder);
          this.done.push(`remove ${folder}`);
          this.folders.delete(folder);
        },
      },
      kept: {
        get: async (attempt) => {
          this.reads += 1;
          const hash = this.kept.get(attempt);
          if (hash === undefined) return null;
          if (hash.startsWith('!')) throw failure(hash === '!STATE_DAMAGED' ? 'STATE_DAMAGED' : 'DISK', 'no');
          return { data: new Uint8Array(), hash };
        },
        put: async (attempt, data) => {
          this.done.push(`keep ${attempt}`);
          this.written.set(attempt, data);
          return 'hash';
        },
      },
      git: {
        checkpoint: async ({ workTree }, last) => {
          const commit = await this.checkpoint();
          this.done.push(`checkpoint ${workTree} on ${last}`);
          return commit;
        },
        origin: async () => ORIGIN,
        treeId: async () => TREE,
        change: async (_tree, from, to) => ({
          tree: TREE,
          patch: Buffer.from(from === ORIGIN ? '' : `${from}..${to}`),
        }),
      },
      inHand: (id) => inHand.includes(id),
      problem: (text) => this.problems.push(text),
    };
  }

  ends(type: Event['type'], job_id: string): void {
    this.listener?.({ type, job_id } as Event, []);
  }
}

/** Why a clone would stay if none may; null: it would go. Absent: it is not looked at. */
async function why(disk: Disk): Promise<Readonly<Record<string, string | null>>> {
  const { go, stay } = await wouldClean(disk.cleaning(), disk.state, 0);
  return Object.fromEntries([
    ...go.map(({ jobId }) => [jobId, null]),
    ...stay.map((clone) => [clone.jobId, clone.why]),
  ]);
}

const removalOf = (id: string): string[] => ['work', 'git', 'fresh'].map((part) => `remove /jobs/${id}/${part}`);

test.each<{ what: string; attempts: AttemptRow[]; kept?: [number, string | null][]; stays: string | null }>([
  { what: 'no attempt', attempts: [], stays: null },
  { what: 'all of its work kept', attempts: [done(1, 'a'), done(2, 'a')], stays: null },
  {
    what: 'an attempt whose file is gone',
    attempts: [done(1, 'a'), done(2, 'a')],
    kept: [[2, null]],
    stays: 'not_kept',
  },
  { what: 'a file of other content', attempts: [done(1, 'a')], kept: [[1, 'other']], stays: 'not_kept' },
  { what: 'a damaged file', attempts: [done(1, 'a')], kept: [[1, '!STATE_DAMAGED']], stays: 'not_kept' },
  { what: 'changes that were never kept', attempts: [done(1, 'a', { kept: null })], stays: 'not_kept' },
  { what: 'an attempt that changed nothing', attempts: [done(1, 'a', { kept: null, diff: null })], stays: null },
  { what: 'a review', attempts: [done(1, 'a', { kept: null, feature_id: null })], stays: null },
  {
    what: 'an abandoned attempt that left nothing',
    attempts: [done(1, 'a', { status: 'abandoned', kept: null, diff: null })],
    stays: null,
  },
  {
    what: 'an abandoned attempt with a diff and no file',
    attempts: [done(1, 'a', { status: 'abandoned', kept: null })],
    stays: 'not_kept',
  },
  {
    what: 'an abandoned attempt whose file is damaged',
    attempts: [done(1, 'a', { status: 'abandoned', kept: null, diff: null })],
    kept: [[1, '!STATE_DAMAGED']],
    stays: 'not_kept',
  },
])('a job that is over, with $what: $stays', async ({ attempts, kept = [], stays }) => {
  const disk = new Disk([over('a'), over('b')], [...attempts, done(9, 'b')]);
  for (const [id, hash] of kept) {
    if (hash === null) disk.kept.delete(id);
    else disk.kept.set(id, hash);
  }
  expect(await why(disk)).toEqual({ a: stays, b: null });
});

test('a job that runs, and one whose merge was cut short, keep their clones', async () => {
  const disk = new Disk([job('runs', { status: 'running' }), over('moves')]);
  disk.moving.add('/jobs/moves/git');
  expect(await why(disk)).toEqual({ runs: 'under_way', moves: 'not_kept' });
});

test('only folders of jobs that we made are looked at: below the folder of jobs, with a git directory', async () => {
  const jobs = ['/home/me', '/jobs/a/deeper', ''].map((job_dir, at) => ({ ...over(`row-${at}`), job_dir }));
  const disk = new Disk([...jobs, over('bare')]);
  for (const { job_dir } of jobs) for (const folder of [job_dir, `${job_dir}/git`]) disk.folders.add(folder);
  disk.folders.delete('/jobs/bare/git');
  expect(await why(disk)).toEqual({});
});

test('a disk that cannot be read ends the look', async () => {
  const disk = new Disk([over('a')], [done(1, 'a')]);
  disk.kept.set(1, '!DISK');
  await expect(why(disk)).rejects.toMatchObject({ code: 'DISK' });
});

test('the oldest go until the rest is under the ceiling; what a job has in hand stays, and each manifest', async () => {
  const disk = new Disk([over('new', 3), over('old', 1), over('held', 1), over('middle', 2)]);
  const clones = keepClonesUnder(60, disk.cleaning(['held']));
  expect(await clones.clean(null)).toMatchObject({ bytes: 120, left: 60 });
  expect(disk.done).toEqual([...removalOf('old'), ...removalOf('middle')]);
  expect([...disk.folders].filter((folder) => !/\/(work|git|fresh)$/.test(folder))).toHaveLength(4);
  await clones.clean(0);
  expect(disk.done.slice(6)).toEqual(removalOf('new'));
  await clones.close();
});

test('what a turn left that a kill cut off is kept before its clone goes', async () => {
  const disk = new Disk([over('a')], [done(1, 'a'), done(2, 'a', { status: 'abandoned', kept: null, diff: null })]);
  const clones = keepClonesUnder(0, disk.cleaning());
  await clones.clean(null);
  expect(disk.done).toEqual(['checkpoint /jobs/a/work/1 on base', 'keep 2', ...removalOf('a')]);
  const { work } = parseKept(disk.written.get(2) ?? new Uint8Array());
  expect(Buffer.from(work.patch).toString()).toBe('base..left');
  await clones.close();
});

test.each<{ of: string; last: Partial<AttemptRow> }>([
  { of: 'an attempt that ended', last: {} },
  { of: 'a review', last: { status: 'abandoned', feature_id: null } },
])('nothing more is kept of $of', async ({ last }) => {
  const disk = new Disk([over('a')], [done(1, 'a', last)]);
  const clones = keepClonesUnder(0, disk.cleaning());
  await clones.clean(null);
  expect(disk.done).toEqual(removalOf('a'));
  await clones.close();
});

test('a clone whose folder is gone is removed; one that cannot be read stays with all that comes after it', async () => {
  const cut = (id: number, of: string) => done(id, of, { status: 'abandoned', kept: null, diff: null });
  const disk = new Disk([over('a', 1), over('b', 2)], [cut(1, 'a'), cut(2, 'b')]);
  const clones = keepClonesUnder(0, disk.cleaning());
  disk.checkpoint = () => Promise.reject(failure('DISK', 'the disk is full'));
  await expect(clones.clean(null)).rejects.toMatchObject({ code: 'DISK' });
  expect(disk.done).toEqual([]);
  disk.checkpoint = () => Promise.reject(failure('CLONE_MISSING', 'it is gone'));
  await clones.clean(null);
  expect(disk.done).toEqual([...removalOf('a'), ...removalOf('b')]);
  await clones.close();
});

test('a look follows the end of a job that nobody works on, and says what went', async () => {
  const disk = new Disk([over('a', 1), over('b', 2)], [done(1, 'a')]);
  const clones = keepClonesUnder(30, disk.cleaning(['b']));
  disk.ends('job_paused', 'a');
  disk.ends('job_completed', 'b');
  expect(disk.looks).toBe(0);
  for (const type of ['job_completed', 'job_failed', 'job_cancelled'] as const) disk.ends(type, 'a');
  await expect.poll(() => disk.problems).toHaveLength(1);
  expect(disk.problems).toEqual([
    'the clones took 60 B: those of ended jobs were removed (a), 30 B are left; each attempt can be restored',
  ]);
  expect(disk.done).toEqual(removalOf('a'));
  await clones.close();
  expect(disk.listener).toBeNull();
});

test('under the ceiling no kept file is read', async () => {
  const disk = new Disk([over('a')], [done(1, 'a')]);
  const clones = keepClonesUnder(30, disk.cleaning());
  clones.look();
  await setImmediate();
  expect([disk.looks > 0, disk.reads]).toEqual([true, 0]);
  await clones.close();
});

test('a look that fails is reported, and the next clean-up is done all the same', async () => {
  const disk = new Disk([over('a')]);
  const clones = keepClonesUnder(0, disk.cleaning());
  disk.remove = () => Promise.reject(new Error('it is busy'));
  clones.look();
  await expect.poll(() => disk.problems).toEqual(['clones could not be cleaned up: it is busy']);
  disk.remove = async () => undefined;
  await clones.clean(null);
  expect(disk.done).toEqual(removalOf('a'));
  await clones.close();
});
