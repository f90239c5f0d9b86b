/** A whole job, in a real owner with a real worker thread, among faults at random for each of its roles. */

import { unlikeBill } from '../budget/budgetOracle.ts';
import { twice } from '../demo/briefs.ts';
import { randomOf } from '../suite/proof.ts';
import { QuickClock } from '../time/quickClock.ts';
import { EngineWorld } from '../world/engineWorld.ts';
import { assignmentOf } from '../world/jobWorld.ts';
import type { Fault, ServedRequest } from './messagesServer.ts';

export interface FaultyJob {
  /** How many it met. */
  readonly faults: number;
  /** Promises that were broken, each with the seed. */
  readonly findings: readonly string[];
}

const ROLES = ['planner', 'worker', 'reviewer'] as const;
const OVER = ['completed', 'failed', 'cancelled'];
const OVERLOADED: Fault = { kind: 'status', status: 529 };

/** `worker`: another program of the worker thread. */
export async function faultyJob(seed: number, worker?: URL): Promise<FaultyJob> {
  const random = randomOf(seed);
  const left = new Map<string, Fault[]>(ROLES.map((role) => [role, someFaults(random)]));
  // For as long as anybody tries: the attempt is interrupted.
  left.get('worker')?.unshift(...Array.from({ length: 6 }, () => OVERLOADED));
  let met = 0;
  const faults = (request: ServedRequest): Fault | null => {
    const fault = left.get(assignmentOf(request)?.role ?? '')?.shift() ?? null;
    met += fault === null ? 0 : 1;
    return fault;
  };
  const owner = worker === undefined ? {} : { workerScript: worker };
  // A day behind the worker thread, whose clock is its own: it wakes at once from every wait, and asks until it may.
  const clock = new QuickClock({ speed: 500, now: Date.now() - 86_400_000 });
  await using world = await EngineWorld.open({ scenario: twice(), faults, clock, owner });
  await world.submit();
  for (;;) {
    const asked = () => [...world.state.approvals.values()].find(({ status }) => status === 'pending');
    await world.until('it asks or is over', () => asked() !== undefined || OVER.includes(world.job.status));
    if (asked()?.kind !== 'provider') break;
    await world.approve('provider');
  }
  return { faults: met, findings: harm(world).map((what) => `seed ${seed}: ${what}`) };
}

function someFaults(random: (below: number) => number): Fault[] {
  return Array.from({ length: 1 + random(4) }, () => {
    const afterEvents = random(7);
    const kinds: readonly Fault[] = [
      { kind: 'status', status: [408, 429, 500, 502, 503, 529][random(6)] ?? 500 },
      { kind: 'status', status: 429, headers: { 'retry-after': String(1 + random(200)) } },
      { kind: 'status', status: [400, 401, 402, 403, 413][random(5)] ?? 400 },
      { kind: 'refuse' },
      { kind: 'cut', afterEvents },
      { kind: 'stall', afterEvents },
      { kind: 'errorEvent', afterEvents, type: 'overloaded_error' },
      { kind: 'malformedEvent', afterEvents },
      { kind: 'malformedJson' },
    ];
    return kinds[random(kinds.length)] ?? OVERLOADED;
  });
}

/** Not one try used, not one thing done twice, nobody approved but the reviewer, not one micro-dollar unlike the bill. */
function harm(world: EngineWorld): string[] {
  const { job, state } = world;
  const isOver = job.status === 'completed';
  const { retry_count, crash_count } = world.feature('A');
  const attempts = world.attempts('A').length;
  const approvers = world.happened('phase_approved').map(({ by }) => by);
  const spends = [...state.spends.values()];
  const booked = {
    settled: spends.flatMap((row) => (row.status === 'settled' ? [row.settled_micro_usd] : [])),
    unsettled: spends.filter(({ status }) => status === 'unsettled').length,
    open: spends.filter(({ status }) => status === 'reserved').length,
  };
  const wrong: readonly (readonly [boolean, string])[] = [
    [!isOver, `the job is ${job.status}: ${job.reason}`],
    [retry_count + crash_count > 0, `the feature used a try: ${retry_count} retries, ${crash_count} crashes`],
    [attempts !== 1, `the feature has ${attempts} attempts`],
    [job.plan_version !== 1, `the plan has version ${job.plan_version}`],
    [approvers.join() !== 'reviewer', `approved by ${approvers}`],
    [world.happened('phase_rejected').length > 0, 'a phase was rejected'],
    [isOver && world.git('log', '--format=%s', 'main^2') !== 'A\nStart', 'the history has something twice'],
  ];
  const bill = world.server.bill.map(({ microUsd }) => microUsd);
  return [...wrong.flatMap(([is, what]) => (is ? [what] : [])), ...unlikeBill(booked, bill)];
}
