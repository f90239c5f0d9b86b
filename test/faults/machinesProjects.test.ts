/** T6: random lives of several projects: requests, messages, deaths, kills of the owner. Nothing illegal, nothing lost, nothing twice. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isFinal, JOB } from '../../src/core/state/machines.ts';
import { findFailure } from '../../src/shared/errors.ts';
import { MAIN_PROJECT } from '../../src/shared/project/projects.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';
import { fc } from '../support/suite/property.ts';
import { FakeClock } from '../support/time/fakeClock.ts';
import { type Fate, settled, ThreadPoolWorld } from '../support/world/threadPoolWorld.ts';

const SEQUENCES = amount({ short: 250, long: 10_000 });
const NAMES = ['a', 'b', 'c'] as const;
const name = fc.constantFrom(...NAMES);
const by = 'steward' as const;

type Step = (world: ThreadPoolWorld) => Promise<unknown>;

/** The thread's loop of a job tells that it is over, as one does that waits for nobody. */
async function endJob(world: ThreadPoolWorld, project: string): Promise<void> {
  const [job] = [...world.store.state.jobs.values()].filter((row) => row.project_id === project);
  if (job === undefined || isFinal(JOB, job.status)) return;
  await world.store.commit({ type: 'job_cancelled', job_id: job.id, reason: 'done', by });
}

async function tryAgain(world: ThreadPoolWorld, project: string): Promise<void> {
  const asked = [...world.store.state.approvals.values()].find(
    (row) => row.project_id === project && row.kind === 'project' && row.status === 'pending',
  );
  if (asked === undefined) return;
  const answer = { decision: 'approved', choice: 'try_again', feedback: null, by } as const;
  await world.store.commit({ type: 'approval_decided', id: asked.id, ...answer });
}

/** In steps: what falls due has its consequences before more time passes. */
async function pass({ clock }: ThreadPoolWorld, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    clock.advance(Math.min(left, 10_000));
    await setImmediate();
  }
}

async function restart(world: ThreadPoolWorld, killed: boolean): Promise<void> {
  await (killed ? world.kill() : world.close());
  await world.open();
}

const step: fc.Arbitrary<readonly [label: string, act: Step]> = fc.oneof(
  name.map((of) => [`create ${of}`, (world: ThreadPoolWorld) => world.create(of)] as const),
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...NAMES, MAIN_PROJECT)
      .map((of) => [`say to ${of}`, (world: ThreadPoolWorld) => world.say(of)] as const),
  },
  name.map((of) => [`job in ${of}`, (world: ThreadPoolWorld) => world.job(of)] as const),
  name.map((of) => [`end job of ${of}`, (world: ThreadPoolWorld) => endJob(world, of)] as const),
  name.map(
    (of) =>
      [
        `suspend ${of}`,
        ({ requests }: ThreadPoolWorld) => requests.suspendProject({ project: of, reason: '', by }),
      ] as const,
  ),
  name.map(
    (of) => [`resume ${of}`, ({ requests }: ThreadPoolWorld) => requests.resumeProject({ project: of, by })] as const,
  ),
  name.map(
    (of) =>
      [
        `complete ${of}`,
        ({ requests }: ThreadPoolWorld) => requests.completeProject({ project: of, reason: '', by }),
      ] as const,
  ),
  name.map(
    (of) => [`archive ${of}`, ({ requests }: ThreadPoolWorld) => requests.archiveProject({ project: of, by })] as const,
  ),
  name.map((of) => [`try ${of} again`, (world: ThreadPoolWorld) => tryAgain(world, of)] as const),
  {
    weight: 2,
    arbitrary: name.map(
      (of) => [`${of} dies`, async (world: ThreadPoolWorld) => world.liveThreads(of)[0]?.die()] as const,
    ),
  },
  fc.constantFrom<Fate>('lives', 'lives', 'dies_before', 'dies_between', 'hangs').map(
    (fate) =>
      [
        fate,
        async (world: ThreadPoolWorld) => {
          world.fate = fate;
        },
      ] as const,
  ),
  fc.constantFrom(300, 2_000, 80_000).map((ms) => [`${ms} ms`, (world: ThreadPoolWorld) => pass(world, ms)] as const),
  fc
    .boolean()
    .map((killed) => [killed ? 'kill' : 'close', (world: ThreadPoolWorld) => restart(world, killed)] as const),
);

/** What the state refuses is refused by a typed failure, and changes nothing. */
async function requested(world: ThreadPoolWorld, act: Step): Promise<void> {
  const before = world.log.events.length;
  try {
    await act(world);
  } catch (thrown) {
    assert.match(findFailure(thrown)?.code ?? String(thrown), /^(?:ILLEGAL_TRANSITION|NOT_FOUND|INVALID_INPUT)$/);
    assert.equal(world.log.events.length, before);
  }
}

const inbox = (world: ThreadPoolWorld, project: string) =>
  [...world.store.state.messages.values()]
    .filter((row) => row.project_id === project && row.direction === 'in')
    .map((row) => row.id);

function holds(world: ThreadPoolWorld): void {
  assert.deepEqual(world.doubles, []);
  assert.deepEqual(world.problems, []);
  for (const { id, status, parked } of world.store.state.projects.values()) {
    const live = world.liveThreads(id).length;
    assert.ok(live <= 1);
    if (status !== 'active' || parked !== null) assert.equal(live, 0, `${id} is ${status}, parked: ${parked}`);
    else if (id !== MAIN_PROJECT) assert.ok(world.threadPool.isLive(id), `${id} is active and has no thread`);
    // Never twice, never out of order; all that is held was said.
    const held = world.journals.get(id) ?? [];
    assert.deepEqual(inbox(world, id).slice(0, held.length), held);
  }
}

/** Every project that can still hear anything is let run: then its conversation holds every message. */
async function letRun(world: ThreadPoolWorld): Promise<void> {
  world.fate = 'lives';
  for (let turn = 0; turn < 3; turn++) {
    await pass(world, 80_000);
    await settled(world);
  }
  for (const { id, status } of world.store.state.projects.values()) {
    if (status === 'suspended') await world.requests.resumeProject({ project: id, by });
    await tryAgain(world, id);
  }
  await settled(world);
  await pass(world, 80_000);
  await settled(world);
}

test(`no illegal state and no lost message, whatever happens in which order, from seed ${SEED}`, async () => {
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const world = await new ThreadPoolWorld(new FakeClock()).open();
      try {
        for (const [, act] of steps) {
          await requested(world, act);
          await settled(world);
          holds(world);
        }
        await letRun(world);
        holds(world);
        for (const { id, status, parked } of world.store.state.projects.values()) {
          if (status !== 'active') continue;
          assert.equal(parked, null, id);
          // The main agent is given up after three deaths, until the next message.
          if (id === MAIN_PROJECT) await world.say(id);
          await settled(world);
          assert.deepEqual(world.journals.get(id) ?? [], inbox(world, id), id);
          reached += inbox(world, id).length;
        }
      } finally {
        await world.close();
      }
    }),
    { numRuns: SEQUENCES },
  );
  figure({
    method: 'T6',
    what: 'lives of several projects over their requests and threads',
    value: SEQUENCES,
    unit: '',
    aim: { atLeast: 250 },
  });
  expect(reached).toBeGreaterThan(SEQUENCES / 10);
});
