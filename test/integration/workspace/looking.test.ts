/** Looking ahead: what is shown is what would be sent, and looking changes nothing. */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dryRun } from '../../../src/app/demo/rehearsal.ts';
import { jobDiff, previewJob } from '../../../src/app/open/readOnlyWorkspace.ts';
import type { Assignment } from '../../../src/shared/workspace/assignment.ts';
import type { Event, EventType } from '../../../src/shared/workspace/events.ts';
import { approves, rejects, scenarioOf, stuck, writes } from '../../support/demo/briefs.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const preview = (world: EngineWorld) => previewJob(world.ownerOptions, null);
/** The preview of a state that was copied. */
const previewOf = (world: EngineWorld, stateDir: string) =>
  previewJob({ ...world.ownerOptions, places: { ...world.places, stateDir } }, null);

function holds(body: string, texts: readonly string[]): void {
  for (const text of texts) expect(body).toContain(text);
}

/** Copies the state after the events that `isThen` names. Returns the folder of the copy. */
function copiesState(world: EngineWorld, name: string, isThen: (event: Event) => boolean): string {
  const then = join(world.folder, name);
  world.owner.follow({
    event: (event) => {
      if (isThen(event)) cpSync(world.places.stateDir, then, { recursive: true });
    },
  });
  return then;
}

/** What follows at once after these events. */
const NEXT: Partial<Record<EventType, Assignment['role']>> = {
  setup_finished: 'planner',
  phase_started: 'worker',
  phase_reviewing: 'reviewer',
  phase_approved: 'summarizer',
};

test('the preview is the next request, byte for byte: of every role, with the plan just approved, with an answer of the steward', async () => {
  // What verify commands come to in a fresh checkout is a part of the reviewer's request, and not known before.
  const attempts = [stuck('Which?'), writes('A.txt')];
  const scenario = scenarioOf([{ verify: [], features: [{ name: 'A', attempts }] }]);
  await using world = await EngineWorld.open({ scenario });
  const then = (role: string) => join(world.folder, `then-${role}`);
  world.owner.follow({
    event: ({ type, ...event }) => {
      // The attempt that asks is gone on from by the same role.
      const role = 'status' in event && event.status === 'stuck' ? undefined : NEXT[type];
      // The first time only: the review ends an attempt too.
      if (role !== undefined && !existsSync(then(role))) cpSync(world.places.stateDir, then(role), { recursive: true });
    },
  });
  const isNext = async (role: Assignment['role']) => {
    const shown = await previewOf(world, then(role));
    expect(shown.describes).toContain(role);
    expect(world.sent(role)[0]?.body).toBe(shown.body);
  };
  await world.submit({ gates: ['plan'], mergeMode: 'branch' });
  await world.asked('plan');
  // The planner is shown the files of the clone, so before there are more.
  await isNext('planner');
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.approve('plan');
  const first = await preview(world);
  expect(first.describes).toBe('worker for feature 1 "A"');
  await world.owner.request('resumeJob', { jobId: world.jobId });

  await world.asked('stuck');
  await world.is('awaiting_steward');
  expect(world.sent('worker')[0]?.body).toBe(first.body);
  await expect(preview(world)).rejects.toThrow('the steward is asked first: Which?');
  await world.owner.request('addNote', { featureId: world.feature('A').id, content: 'Mind the gap.' });
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.approve('stuck', { feedback: 'This one.' });
  const second = await preview(world);
  expect(second.body).toContain('This one.');
  expect(second.body).toContain('Mind the gap.');
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.sent('worker')[1]?.body).toBe(second.body);
  for (const role of ['worker', 'summarizer', 'reviewer'] as const) await isNext(role);
});

test('the preview of a second planner, of another attempt that begins anew and of a second reviewer shows everything that the one before knew', async () => {
  const attempts = [
    stuck('Which of the two?'),
    writes('half.txt', 'half\n'),
    writes('good.txt'),
    writes('A.txt', 'two\n'),
  ];
  const phase = {
    verify: ['sh check.sh'],
    features: [{ name: 'A', attempts }],
    reviews: [rejects('Say two.', ['A']), approves],
  };
  const files = { 'check.sh': 'test -f good.txt || { echo "good.txt is missing"; exit 3; }\n' };
  await using world = await EngineWorld.open({ scenario: scenarioOf([phase]), files });
  const failed = copiesState(world, 'failed', (event) => event.type === 'attempt_ended' && event.status === 'failed');
  const reviewed = copiesState(
    world,
    'reviewed',
    ({ type }) => type === 'phase_reviewing' && world.happened('phase_rejected').length === 1,
  );
  await world.submit({ gates: ['plan'], mergeMode: 'branch', conversation: 'fresh' });
  await world.asked('plan');
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.reject('plan', 'Smaller features, please.');
  const planner = await preview(world);
  expect(planner.describes).toBe('planner');
  holds(planner.body, [
    'Smaller features, please.',
    '# Decisions of the steward',
    '# The newest plan, version 1',
    'Make A.',
  ]);
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.until('it is planned again', () => world.job.plan_version === 2);
  expect(world.sent('planner').at(-1)?.body).toBe(planner.body);
  await world.approve('plan');
  await world.asked('stuck');
  await world.owner.request('addNote', { featureId: world.feature('A').id, content: 'Mind the gap.' });
  await world.approve('stuck', { feedback: 'The second.' });
  await world.is('completed');

  const worker = await previewOf(world, failed);
  expect(worker.describes).toBe('worker for feature 1 "A"');
  holds(worker.body, [
    '# Decisions of the steward',
    'Which of the two?',
    'The second.',
    'Mind the gap.',
    'Reported stuck.',
    'Reported done.',
    'sh check.sh',
    'exit code 3',
    'good.txt is missing',
    '+half',
  ]);
  // One request asked, and two made the attempt that failed.
  expect(worker.body).toBe(world.sent('worker')[3]?.body);

  const reviewer = await previewOf(world, reviewed);
  expect(reviewer.describes).toBe('reviewer for phase 1, without the results of the verify commands, which run first');
  holds(reviewer.body, [
    'REJECTED at ',
    'Say two.',
    '# Changes since that review',
    'Smaller features, please.',
    'Reported done.',
  ]);
  const withoutEvidence = (body = '') =>
    body.replace(/# Evidence.*?(?=\\n\\n# (?:Changed files|Ignored files|Diff)\\n)/, '');
  expect(withoutEvidence(world.sent('reviewer')[1]?.body)).toBe(withoutEvidence(reviewer.body));
});

describe('of a workspace that has no owner', () => {
  let world: EngineWorld;

  beforeAll(async () => {
    world = await EngineWorld.open();
    await world.submit({ gates: ['plan'] });
    await world.asked('plan');
    await world.is('awaiting_steward');
    await world.close();
  });
  afterAll(async () => {
    await world.restart();
    await world[Symbol.asyncDispose]();
  });

  test('a preview writes nothing; of a state that came with the repository no folder is looked into', async () => {
    const before = snapshotOf(world.folder, true);
    await expect(preview(world)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(await jobDiff(world.ownerOptions, world.jobId)).toBe('');
    // Another installation has another key.
    const foreign = { ...world.ownerOptions, places: { ...world.places, configDir: join(world.folder, 'of-another') } };
    await expect(previewJob(foreign, world.jobId)).rejects.toMatchObject({ code: 'STATE_FOREIGN' });
    await expect(jobDiff(foreign, world.jobId)).rejects.toMatchObject({ code: 'STATE_FOREIGN' });
    expect(snapshotOf(world.folder, true)).toEqual(before);
  });

  test('a dry run answers what a worker asks', async () => {
    const attempts = [stuck('Which?'), writes('A.txt')];
    const file = join(world.folder, 'asks.json');
    writeFileSync(file, JSON.stringify(scenarioOf([{ features: [{ name: 'A', attempts }] }])));
    const input = { brief: 'Write a poem.', scenario: file };
    const { steps } = await dryRun(world.ownerOptions, input, new AbortController().signal);
    expect(steps.map(({ text }) => text)).toContain('attempt stuck (stuck)');
    expect(steps.at(-1)?.text).toBe('done: the result would be merged');
  });

  test('a dry run reaches no server, changes no file, and shows the course and a cost', async () => {
    const asked = world.server.requests.length;
    const before = snapshotOf(world.repo, true);
    const shown = await dryRun(world.ownerOptions, { brief: 'Write a poem.' }, new AbortController().signal);
    expect(world.server.requests).toHaveLength(asked);
    expect(snapshotOf(world.repo, true)).toEqual(before);
    expect(shown.plan?.phases).toHaveLength(2);
    const text = shown.steps.map((step) => step.text);
    expect(text).toContain('planner call');
    expect(text).toContain('worker call for "Outline"');
    expect(text.at(-1)).toBe('done: the result would be merged');
    expect(shown.costUsd).toBeGreaterThan(0);
    expect(shown.lowUsd).toBeLessThanOrEqual(shown.costUsd);
    expect(shown.highUsd).toBeGreaterThan(shown.costUsd);
  });
});
