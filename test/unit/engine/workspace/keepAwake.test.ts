/** How long the machine is kept awake: from the first event of work until a minute after its end, on a clock that stands still. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../../src/engine/state/store.ts';
import { KeepAwake } from '../../../../src/engine/workspace/keepAwake.ts';
import { failure } from '../../../../src/shared/errors.ts';
import { addJob, addProject, openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const GRACE_MS = 60_000;

let clock: FakeClock;
let store: Store;
let keeping: KeepAwake;
/** Begun and ended holds. */
let held: string[];
let problems: string[];
let jobs: string[];
let turns: string[];
let isWanted: boolean;
let fails: unknown;
let failed: (thrown: unknown) => void;

const begin = () =>
  new KeepAwake({
    store,
    clock,
    atWork: () => ({ works: true, jobs, turns }),
    wanted: () => isWanted,
    hold: (report) => {
      held.push('held');
      failed = report;
      if (fails !== null) throw fails;
      return () => held.push('released');
    },
    problem: (text) => problems.push(text),
  });

beforeEach(async () => {
  clock = new FakeClock();
  store = await openMemoryStore(clock);
  [held, problems, jobs, turns, isWanted, fails] = [[], [], ['a'], [], true, null];
  keeping = begin();
});
afterEach(() => keeping.close());

const pause = () => store.commit({ type: 'job_paused', job_id: 'a', reason: 'lunch', by: 'steward' });
const resume = () => store.commit({ type: 'job_resumed', job_id: 'a', by: 'steward' });

it('sets no timer while nothing runs', async () => {
  expect(clock.pending).toBe(0);
  await addJob(store, 'a');
  expect(clock.pending).toBe(1);
  await pause();
  clock.advance(GRACE_MS);
  expect(clock.pending).toBe(0);
});

it('holds from the first event of a job until a minute after the last', async () => {
  await addJob(store, 'a');
  expect(held).toEqual(['held']);
  expect(keeping.awake).toEqual({ fault: null });
  clock.advance(GRACE_MS * 100);
  expect(held).toEqual(['held']);

  clock.advance(GRACE_MS - 1);
  await pause();
  expect(keeping.awake).toBeUndefined();
  clock.advance(GRACE_MS - 1);
  await store.commit({ type: 'job_selected', job_id: 'a' });
  expect(held).toEqual(['held']);
  clock.advance(1);
  expect(held).toEqual(['held', 'released']);
});

it('goes on holding if other work begins within the minute', async () => {
  await addJob(store, 'a');
  await pause();
  clock.advance(GRACE_MS - 1);
  await resume();
  expect(keeping.awake).toEqual({ fault: null });
  clock.advance(GRACE_MS * 10);
  expect(held).toEqual(['held']);
});

it('finds out within a minute that a turn ended without an event', async () => {
  keeping.close();
  await addProject(store, 'default');
  [jobs, turns] = [[], ['default']];
  keeping = begin();
  expect(held).toEqual(['held']);
  turns = [];
  clock.advance(GRACE_MS);
  expect(held).toEqual(['held', 'released']);
});

it('follows the setting', async () => {
  isWanted = false;
  await addJob(store, 'a');
  expect(held).toEqual([]);
  isWanted = true;
  await store.commit({ type: 'job_selected', job_id: 'a' });
  expect(held).toEqual(['held']);
  isWanted = false;
  clock.advance(GRACE_MS);
  expect(held).toEqual(['held', 'released']);
});

it('lets the machine sleep when it closes, at once', async () => {
  await addJob(store, 'a');
  keeping.close();
  expect(held).toEqual(['held', 'released']);
  expect(clock.pending).toBe(0);
});

it('does not repeat a failed start while the same work runs, and reports it', async () => {
  fails = failure('COMMAND_FAILED', 'systemd-inhibit failed: Access denied');
  await addJob(store, 'a');
  clock.advance(GRACE_MS * 10);
  await store.commit({ type: 'job_selected', job_id: 'a' });
  expect(held).toEqual(['held']);
  expect(problems).toEqual(['this machine may sleep while work runs: systemd-inhibit failed: Access denied']);
  expect(keeping.awake).toEqual({ fault: 'systemd-inhibit failed: Access denied' });

  await pause();
  clock.advance(GRACE_MS);
  fails = null;
  await resume();
  expect(held).toEqual(['held', 'held']);
  expect(keeping.awake).toEqual({ fault: null });
});

it('shows a program that ended later', async () => {
  await addJob(store, 'a');
  failed(failure('COMMAND_FAILED', 'caffeinate failed: it ended with SIGKILL'));
  expect(keeping.awake).toEqual({ fault: 'caffeinate failed: it ended with SIGKILL' });
  expect(problems).toHaveLength(1);
});

it('only shows that a system has no program for it: many servers and containers have none', async () => {
  fails = failure('NOT_FOUND', 'systemd-inhibit is not available');
  await addJob(store, 'a');
  expect(keeping.awake).toEqual({ fault: 'systemd-inhibit is not available' });
  expect(problems).toEqual([]);
});
