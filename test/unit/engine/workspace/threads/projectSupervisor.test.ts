import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OwnerCalls } from '../../../../../src/engine/project/threadPorts.ts';
import type { Store } from '../../../../../src/engine/state/store.ts';
import { ProjectSupervisor } from '../../../../../src/engine/workspace/threads/projectSupervisor.ts';
import { failure, type PlainFailure, toPlain } from '../../../../../src/shared/errors.ts';
import type { EvalResult } from '../../../../../src/shared/eval/records.ts';
import type { LiveLine } from '../../../../../src/shared/live.ts';
import type { StepResult } from '../../../../../src/shared/task/taskWork.ts';
import { resultOf } from '../../../../support/eval/records.ts';
import { addJob, type MemoryLog, memoryLog, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';
import { EMPTY_ANSWERS, threadStart } from '../../../../support/world/ownerCalls.ts';

/** A worker thread that does only what a test says. */
class FakeThread {
  readonly owner: OwnerCalls;
  readonly works: (readonly [jobId: string, run: number])[] = [];
  readonly talks: number[] = [];
  readonly #gone = Promise.withResolvers<string | null>();
  readonly gone = this.#gone.promise;

  constructor(owner: OwnerCalls) {
    this.owner = owner;
  }

  work(jobId: string, run: number): void {
    this.works.push([jobId, run]);
  }

  load(): void {
    // It keeps no state.
  }

  fold(): void {
    // It keeps no state.
  }

  converse(run: number): void {
    this.talks.push(run);
  }

  step(): Promise<StepResult> {
    return this.gone.then(() => ({ outcome: 'aborted' }));
  }

  abortStep(): void {
    // It carries out none.
  }

  /** Whether it answers. */
  answers = true;

  ping(): Promise<void> {
    return this.answers ? Promise.resolve() : new Promise(() => undefined);
  }

  kill(cause: string): void {
    this.#gone.resolve(cause);
  }

  async stop(): Promise<void> {
    this.#gone.resolve(null);
  }

  die(): void {
    this.#gone.resolve('Error: out of memory\n    at somewhere');
  }

  /** The loop of the newest `work` of the job ends. */
  end(jobId: string, failed: PlainFailure | null = null, run = this.lastRun(jobId)): void {
    this.owner.ended(jobId, run, failed);
  }

  lastRun(jobId: string): number {
    return this.works.findLast(([id]) => id === jobId)?.[1] ?? 0;
  }
}

const DISK_FULL = failure('DISK', 'no space left on device');

let clock: FakeClock;
let log: MemoryLog;
let store: Store;
let supervisor: ProjectSupervisor;
let threads: FakeThread[];
let ended: [jobId: string, code: string | null][];
let lives: LiveLine[];
let told: string[];
let givenUp: string[];
let maySpawn: boolean;
let evals: readonly EvalResult[];
let unhandled: unknown[];
const noteUnhandled = (reason: unknown) => unhandled.push(reason);

beforeEach(async () => {
  clock = new FakeClock();
  log = memoryLog();
  store = await openMemoryStore(clock, log);
  [threads, ended, lives, unhandled, maySpawn] = [[], [], [], [], true];
  [told, givenUp, evals] = [[], [], []];
  process.on('unhandledRejection', noteUnhandled);
  supervisor = new ProjectSupervisor({
    projectId: 'default',
    store,
    clock,
    start: () => threadStart('default', '/p'),
    spawn: (_start, owner) => {
      if (!maySpawn) throw new Error('no thread to be had');
      const thread = new FakeThread(owner);
      threads.push(thread);
      return thread;
    },
    live: (line) => lives.push(line),
    problem: () => undefined,
    evalResults: async () => evals,
    ended: (jobId, failed) => ended.push([jobId, failed?.code ?? null]),
    ...EMPTY_ANSWERS,
    tell: async (text) => void told.push(text),
    gaveUp: async (why) => void givenUp.push(why),
  });
});

afterEach(async () => {
  await supervisor.stop();
  await settled();
  process.off('unhandledRejection', noteUnhandled);
  expect(unhandled).toEqual([]);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

const thread = (): FakeThread => threads.at(-1) as FakeThread;
const status = (jobId: string) => store.state.jobs.get(jobId)?.status;

async function job(id = 'a'): Promise<string> {
  await addJob(store, id);
  supervisor.work(id);
  return id;
}

/** Kills the thread and lets the back-off pass. */
async function die(): Promise<void> {
  thread().die();
  await settled();
  clock.advance(60_000);
  await settled();
}

describe('a thread that dies', () => {
  test('is started again, later each time, with the jobs it had', async () => {
    await job('a');
    await job('b');
    thread().die();
    await settled();
    expect(threads).toHaveLength(1);
    expect(lives.map(({ text }) => text)).toEqual([expect.stringContaining('out of memory')]);
    clock.advance(500);
    await settled();
    expect(threads).toHaveLength(2);
    expect(thread().works.map(([id]) => id)).toEqual(['a', 'b']);
    thread().die();
    await settled();
    expect(clock.slept).toEqual([500, 1_000]);
    expect(ended).toEqual([]);
  });

  test('three times in a row: its jobs are paused and say why', async () => {
    await job('a');
    await job('b');
    for (let death = 0; death < 3; death++) await die();
    expect(threads).toHaveLength(3);
    expect([status('a'), status('b')]).toEqual(['paused', 'paused']);
    expect(store.state.jobs.get('a')?.reason).toBe('the worker thread died 3 times in a row: Error: out of memory');
    expect(log.events.filter(({ type }) => type === 'job_paused')).toMatchObject([{ by: 'engine' }, { by: 'engine' }]);
    expect(ended).toEqual([
      ['a', 'WORKER_DIED'],
      ['b', 'WORKER_DIED'],
    ]);
  });

  test('what was committed in between begins the count anew', async () => {
    await job();
    await die();
    await die();
    await thread().owner.commit({ type: 'job_selected', job_id: 'a' });
    await die();
    expect(threads).toHaveLength(4);
    expect(ended).toEqual([]);
  });

  test('whose jobs a person paused or cancelled meanwhile leaves them as they are', async () => {
    for (const id of ['a', 'b', 'c']) await job(id);
    await store.commit({ type: 'job_paused', job_id: 'a', reason: 'lunch', by: 'steward' });
    await store.commit({ type: 'job_cancelled', job_id: 'b', reason: 'wrong', by: 'steward' });
    for (let death = 0; death < 3; death++) await die();
    expect([status('a'), status('b'), status('c')]).toEqual(['paused', 'cancelled', 'paused']);
    expect(store.state.jobs.get('a')?.reason).toBe('lunch');
  });

  test('while nothing can be written: told for each job, and tried again', async () => {
    await job('a');
    await job('b');
    for (let death = 0; death < 2; death++) await die();
    log.broken = DISK_FULL;
    thread().die();
    await settled();
    expect(ended.map(([id]) => id)).toEqual(expect.arrayContaining(['a', 'b']));
    expect(ended.every(([, code]) => code === 'DISK' || code === 'WORKER_DIED')).toBe(true);
    log.broken = null;
    clock.advance(30_000);
    await settled();
    expect(threads).toHaveLength(4);
    expect(thread().works.map(([id]) => id)).toEqual(['a', 'b']);
    expect(status('a')).toBe('planning');
  });

  test('and cannot be started again pauses its jobs', async () => {
    await job();
    maySpawn = false;
    await die();
    expect(ended).toEqual([['a', 'INTERNAL']]);
    expect(status('a')).toBe('paused');
  });

  test('while the owner stops is let go', async () => {
    await job();
    thread().die();
    await settled();
    await supervisor.stop();
    await store.close();
    clock.advance(60_000);
    await settled();
    expect(threads).toHaveLength(1);
    expect(ended).toEqual([]);
  });
});

describe('a loop that ends', () => {
  test('by itself is told', async () => {
    await job();
    thread().end('a');
    expect(ended).toEqual([['a', null]]);
    await die();
    expect(threads).toHaveLength(1);
  });

  test('on a full disk goes on after 30 s, unless the owner stops', async () => {
    await job();
    thread().end('a', toPlain(DISK_FULL));
    expect(ended).toEqual([['a', 'DISK']]);
    clock.advance(29_000);
    await settled();
    expect(thread().works).toHaveLength(1);
    clock.advance(1_000);
    await settled();
    expect(thread().works).toHaveLength(2);
    thread().end('a', toPlain(DISK_FULL));
    await supervisor.stop();
    clock.advance(30_000);
    await settled();
    expect(thread().works).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test('with what nobody expected: the job is paused before anybody is told', async () => {
    await job();
    let before: string | undefined;
    store.subscribe(() => {
      before ??= `${status('a')}, told ${ended.length}`;
    });
    thread().end('a', toPlain(new Error('oops')));
    await settled();
    expect(before).toBe('paused, told 0');
    expect(ended).toEqual([['a', 'INTERNAL']]);
  });

  test('after the job was cancelled: nothing to pause', async () => {
    await job();
    await store.commit({ type: 'job_cancelled', job_id: 'a', reason: 'wrong', by: 'steward' });
    thread().end('a', toPlain(new Error('oops')));
    await settled();
    expect(status('a')).toBe('cancelled');
    expect(ended).toEqual([['a', 'INTERNAL']]);
  });

  test('late, after it was asked for again, is no news: the new one goes on', async () => {
    await job();
    supervisor.work('a');
    const [first, second] = thread().works.map(([, run]) => run);
    thread().end('a', null, first);
    expect(ended).toEqual([]);
    await die();
    expect(thread().works.map(([id]) => id)).toEqual(['a']);
    expect(second).toBeGreaterThan(first ?? 0);
  });
});

test('the record for routing has the results of evals, as they are when it is asked for', async () => {
  await job();
  const record = () => thread().owner.routingRecord('anthropic');
  expect(await record()).toEqual([]);
  evals = [resultOf(), resultOf({ task: 't2', provider: 'simulated' })];
  expect(await record()).toMatchObject([{ task: 't1', model: 'claude-sonnet-5-5', passed: true }]);
});
