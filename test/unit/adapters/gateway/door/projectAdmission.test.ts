/** The money, tokens and calls of tools of projects, under any interleaving of their calls. */

import { expect, it } from 'vitest';
import { Admission } from '../../../../../src/adapters/gateway/door/admission.ts';
import { PRICES } from '../../../../../src/core/money/price/prices.ts';
import { tokensOf } from '../../../../../src/core/money/usageLimits.ts';
import { countedMicroUsd } from '../../../../../src/core/state/rows.ts';
import type { Store } from '../../../../../src/engine/state/store.ts';
import type { SpendRow } from '../../../../../src/shared/money.ts';
import { NO_PROJECT_LIMITS, type ProjectLimits } from '../../../../../src/shared/project/projects.ts';
import { allEnd, callOf, NOTHING_USED } from '../../../../support/budget/calls.ts';
import { addJob, addProject, addSession, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const NEVER = new AbortController().signal;
const PROJECTS = ['p', 'q'] as const;
type Project = (typeof PROJECTS)[number];

function used(store: Store, project: Project) {
  const rows = [...store.state.spends.values()].filter((row) => row.project_id === project);
  const sum = (of: (row: SpendRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const days = new Set(rows.map(({ day }) => day));
  return {
    day: Math.max(0, ...[...days].map((day) => sum((row) => (row.day === day ? countedMicroUsd(row) : 0)))),
    total: sum(countedMicroUsd),
    tokens: sum((row) =>
      row.status === 'settled' ? tokensOf(row) : row.status === 'released' ? 0 : row.reserved_tokens,
    ),
    toolCalls: sum((row) => row.tool_calls),
  };
}

const DAY_MS = 86_400_000;
const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 3 });
const limitsOf = fc.record({
  dayMicroUsd: limit(1_500),
  totalMicroUsd: limit(3_000),
  tokens: limit(300),
  toolCalls: limit(12),
});
const callsOf = fc.record({
  project: fc.constantFrom(...PROJECTS),
  from: fc.constantFrom('job', 'conversation', 'subagent'),
  maxTokens: fc.integer({ min: 1, max: 50 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  tools: fc.integer({ min: 0, max: 1 }),
  end: fc.constantFrom('settle', 'settle', 'settle', 'release', 'unsettle'),
  newDay: fc.boolean(),
} as const);

it('no project ever goes over its limits, whoever calls for it and however the calls end', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(callsOf, { minLength: 1, maxLength: 32 }),
      fc.record({ p: limitsOf, q: limitsOf }),
      async (s, calls, limits: Record<Project, ProjectLimits>) => {
        const clock = new FakeClock();
        const store = await openMemoryStore(clock);
        const sessions = new Map<string, number>();
        for (const project of PROJECTS) {
          await addProject(store, project, { limits: limits[project] });
          await addJob(store, `job-${project}`, {}, project);
          sessions.set(`job ${project}`, await addSession(store, `job-${project}`, 'worker', project));
          sessions.set(`conversation ${project}`, await addSession(store, null, 'project', project));
          sessions.set(`subagent ${project}`, await addSession(store, null, 'subagent', project));
        }
        const admission = new Admission(store, PRICES, clock);
        const infinite = (most: number | null) => most ?? Number.POSITIVE_INFINITY;
        store.subscribe(() => {
          for (const project of PROJECTS) {
            const { day, total, tokens, toolCalls } = used(store, project);
            const own = limits[project];
            expect(day).toBeLessThanOrEqual(infinite(own.dayMicroUsd));
            expect(total).toBeLessThanOrEqual(infinite(own.totalMicroUsd));
            expect(tokens).toBeLessThanOrEqual(infinite(own.tokens));
            expect(toolCalls).toBeLessThanOrEqual(infinite(own.toolCalls));
          }
        });
        const run = async ({ project, from, maxTokens, share, tools, end, newDay }: (typeof calls)[number]) => {
          const request = callOf(sessions.get(`${from} ${project}`) ?? 0, maxTokens);
          const money = await admission.reserve(request, { name: 'anthropic' }, null, NEVER);
          await s.schedule(Promise.resolve());
          if (newDay) clock.setWall(clock.now() + DAY_MS);
          if (end === 'settle') await money.settle({ ...NOTHING_USED, output: Math.floor(maxTokens * share) }, tools);
          else await money[end]('test');
        };
        await allEnd(s, store, calls.map(run));
      },
    ),
    { numRuns: amount({ short: 40, long: 5_000 }) },
  );
});

it("waits for calls in flight where only they are in the way of a project's limit", async () => {
  const store = await openMemoryStore(new FakeClock());
  await addProject(store, 'p', { limits: { ...NO_PROJECT_LIMITS, tokens: 15 } });
  const session = await addSession(store, null, 'project', 'p');
  const admission = new Admission(store, PRICES, new FakeClock());
  const first = await admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER);
  const second = admission.reserve(callOf(session, 10), { name: 'anthropic' }, null, NEVER);
  await addProject(store, 'q');
  expect(store.state.spends.size).toBe(1);
  await first.settle({ ...NOTHING_USED, output: 5 });
  await (await second).settle({ ...NOTHING_USED, output: 10 });
  await expect(admission.reserve(callOf(session, 1), { name: 'anthropic' }, null, NEVER)).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
    message: "the project's token limit of 15 tokens is reached: 15 used, 0 in flight, up to 1 wanted",
    details: { limit: 'project_tokens', most: 15, used: 15, raiseTo: 30, resetsAt: null },
  });
});
