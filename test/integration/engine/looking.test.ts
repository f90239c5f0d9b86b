/** Looking ahead: what is shown is what would be sent, and looking changes nothing. */
import { describe, expect, test } from 'vitest';
import { dryRun } from '../../../src/compose/dryRun.ts';
import { previewJob } from '../../../src/compose/readOnly.ts';
import type { Assignment } from '../../../src/shared/assignment.ts';
import type { EventType } from '../../../src/shared/events.ts';
import { scenarioOf, stuck, writes } from '../../support/briefs.ts';
import { assignmentOf, EngineWorld } from '../../support/engineWorld.ts';
import { snapshotOf } from '../../support/gitFixture.ts';
import type { ServedRequest } from '../../support/messagesServer.ts';

const preview = (world: EngineWorld) => previewJob(world.ownerOptions, null);

/** Pauses the job as soon as this has happened. */
function pauseAt(world: EngineWorld, type: EventType): void {
  const stop = world.owner.follow({
    event: (event) => {
      if (event.type !== type) return;
      stop();
      void world.owner.wish('pauseJob', { jobId: world.jobId });
    },
  });
}

/** The first request of a role is answered too late to count. */
const slow = (role: Assignment['role']) => {
  let first = true;
  return (request: ServedRequest) => {
    if (assignmentOf(request)?.role !== role || !first) return null;
    first = false;
    return { kind: 'stall', afterEvents: 0 } as const;
  };
};

describe('the preview is the next request, byte for byte', () => {
  test.each([
    ['planner', 'setup_finished'],
    ['summarizer', 'attempt_ended'],
    ['reviewer', 'phase_summarized'],
  ] as const)('of the %s', async (role, when) => {
    await using world = await EngineWorld.open({ faults: slow(role) });
    await world.submit();
    pauseAt(world, when);
    await world.is('paused');
    const shown = await preview(world);
    expect(shown.describes).toContain(role);
    const before = world.sent(role).length;
    await world.owner.wish('resumeJob', { jobId: world.jobId });
    await world.until('it is sent', () => world.sent(role).length > before);
    expect(world.sent(role).at(-1)?.body).toBe(shown.body);
  });

  test('of the worker, with the plan just approved', async () => {
    await using world = await EngineWorld.open();
    await world.submit({ gates: ['plan'] });
    await world.asked('plan');
    await world.owner.wish('pauseJob', { jobId: world.jobId });
    await world.approve('plan');
    const shown = await preview(world);
    expect(shown.describes).toBe('worker for feature 1 "A"');
    await world.owner.wish('resumeJob', { jobId: world.jobId });
    await world.is('completed');
    expect(world.sent('worker')[0]?.body).toBe(shown.body);
  });

  test('of the worker, with an answer of the steward', async () => {
    const scenario = scenarioOf([{ features: [{ name: 'A', attempts: [stuck('Which?'), writes('A.txt')] }] }]);
    await using world = await EngineWorld.open({ scenario });
    await world.submit();
    await world.asked('stuck');
    await world.is('awaiting_steward');
    await expect(preview(world)).rejects.toThrow('the steward is asked first: Which?');
    await world.owner.wish('addNote', { featureId: world.feature('A').id, content: 'Mind the gap.' });
    await world.owner.wish('pauseJob', { jobId: world.jobId });
    await world.approve('stuck', { feedback: 'This one.' });
    const shown = await preview(world);
    expect(shown.body).toContain('This one.');
    expect(shown.body).toContain('Mind the gap.');
    await world.owner.wish('resumeJob', { jobId: world.jobId });
    await world.is('completed');
    expect(world.sent('worker')[1]?.body).toBe(shown.body);
  });
});

test('a preview writes nothing', async () => {
  await using world = await EngineWorld.open();
  await world.submit({ gates: ['plan'] });
  await world.asked('plan');
  await world.is('awaiting_steward');
  await world.close();
  const before = snapshotOf(world.folder, true);
  await expect(preview(world)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(snapshotOf(world.folder, true)).toEqual(before);
  await world.restart();
});

test('a dry run reaches no server, changes no file, and shows the course and a cost', async () => {
  await using world = await EngineWorld.open();
  await world.close();
  const before = snapshotOf(world.repo, true);
  const shown = await dryRun(world.ownerOptions, { brief: 'Write a poem.' }, new AbortController().signal);
  expect(world.server.requests).toEqual([]);
  expect(snapshotOf(world.repo, true)).toEqual(before);
  expect(shown.plan?.phases).toHaveLength(2);
  const text = shown.steps.map((step) => step.text);
  expect(text).toContain('planner call');
  expect(text).toContain('worker call for "Outline"');
  expect(text.at(-1)).toBe('done: the result would be merged');
  expect(shown.costUsd).toBeGreaterThan(0);
  expect(shown.lowUsd).toBeLessThanOrEqual(shown.costUsd);
  expect(shown.highUsd).toBeGreaterThan(shown.costUsd);
  await world.restart();
});
