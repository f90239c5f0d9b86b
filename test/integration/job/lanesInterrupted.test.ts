/** Several features at once, interrupted: what a pause, a question, a lost tree or a change by hand leaves of the work of each lane. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { approves, attempt, rejects, report, write } from '../../support/demo/briefs.ts';
import type { ServedRequest } from '../../support/provider/messagesServer.ts';
import type { EngineWorld } from '../../support/world/engineWorld.ts';
import { isAt, laneWorld, mergeSecondFirst, waits } from '../../support/world/laneWorld.ts';

const REFUSED = { kind: 'status', status: 401, type: 'authentication_error' } as const;

const writesAfter = (gate: number, name: string) => attempt(waits(gate), write(`${name}.txt`, name), report('done'));
const filesOf = (world: EngineWorld): string[] => world.git('ls-tree', '--name-only', 'main').trim().split('\n');
const isOfFeature = ({ body }: ServedRequest, id: number): boolean =>
  new RegExp(`Assignment: worker[^\\n]*feature ${id} `).test(body);

async function paused(world: EngineWorld, isInterrupted: () => boolean): Promise<void> {
  await world.owner.request('pauseJob', { jobId: world.jobId, by: 'steward' });
  await world.is('paused');
  await world.until('it is interrupted', isInterrupted);
}

test('a conversation that is paused in the first round of its next feature loses nothing that was merged since', async () => {
  const { world, allowedCommands, go } = await laneWorld([
    {
      features: [
        { name: 'A', attempts: [writesAfter(1, 'A')] },
        { name: 'B', attempts: [writesAfter(2, 'B')] },
        { name: 'C', attempts: [writesAfter(3, 'C')] },
        { name: 'D', attempts: [writesAfter(4, 'D')] },
      ],
    },
  ]);
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  await world.until('both work', () => world.happened('attempt_started').length === 2);
  go(2);
  await world.until('C works', () => world.happened('attempt_started').length === 3);
  go(1);
  await world.until('D works', () => isAt(world, 4));
  await paused(world, () => ['C', 'D'].every((name) => world.attempts(name)[0]?.status === 'interrupted'));
  await world.owner.request('resumeJob', { jobId: world.jobId });
  go(3);
  go(4);
  await world.is('completed');
  expect(filesOf(world)).toEqual(expect.arrayContaining(['A.txt', 'B.txt', 'C.txt', 'D.txt']));
});

const CONFLICT = [
  {
    name: 'A',
    attempts: [
      attempt(waits(1), write('list.txt', 'one\nA\n'), report('done')),
      attempt(write('A2.txt', 'A'), report('done')),
    ],
    returns: [attempt(waits(3), write('list.txt', 'one\nB\nA\n'), report('done'))],
  },
  {
    name: 'B',
    attempts: [attempt(waits(2), write('list.txt', 'one\nB\n'), write('B.txt', 'B'), report('done'))],
  },
];
const LIST = { files: { 'list.txt': 'one\n' } };

/** Until the returned attempt at A works again. */
async function returned(world: EngineWorld, go: (gate: number) => void): Promise<void> {
  await mergeSecondFirst({ world, go });
  await world.until('it was returned', () => world.happened('attempt_returned').length === 1 && isAt(world, 3));
}

test('a returned attempt that is paused continues on the new base, and its saved work is based on it', async () => {
  const { world, allowedCommands, go } = await laneWorld([{ features: CONFLICT }], LIST);
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  await returned(world, go);
  await paused(world, () => world.attempts('A')[0]?.status === 'interrupted');
  await world.owner.request('resumeJob', { jobId: world.jobId });
  go(3);
  await world.is('completed');
  expect(filesOf(world)).toContain('B.txt');
  expect(world.git('show', 'main:list.txt')).toBe('one\nB\nA');
  const [a] = world.attempts('A');
  const kept = gunzipSync(readFileSync(join(world.places.stateDir, 'attempts', `${a?.id}.gz`))).toString('latin1');
  const { start } = JSON.parse(kept.split('\n')[0] ?? '') as { readonly start: { readonly tree: string } };
  expect(start.tree).toBe(world.git('rev-parse', `${world.feature('B').commit}^{tree}`).trim());
});

test('a returned feature that is set to pending starts again on everything that was merged', async () => {
  const { world, allowedCommands, go } = await laneWorld([{ features: CONFLICT }], LIST);
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  await returned(world, go);
  await paused(world, () => world.attempts('A')[0]?.status === 'interrupted');
  await world.owner.request('setFeature', { featureId: world.feature('A').id, status: 'pending' });
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(filesOf(world)).toEqual(expect.arrayContaining(['A2.txt', 'B.txt']));
});

test('each feature is reviewed by a reviewer of its own, also while another one was returned', async () => {
  const reviewed = {
    name: 'D',
    attempts: [attempt(waits(4), write('D.txt', 'D'), report('done'))],
    reviews: [rejects('D is wrong.'), approves],
  };
  const { world, allowedCommands, go } = await laneWorld([{ features: [...CONFLICT, reviewed] }], LIST);
  await using _ = world;
  await world.submit({ lanes: 2, reviewEachFeature: true, allowedCommands });
  await returned(world, go);
  go(4);
  await world.until('D was rejected', () => world.attempts('D')[0]?.status === 'failed');
  go(3);
  await world.is('completed');
  expect(world.attempts('D')[0]?.cause).toBe('review_rejected');
  // The work that fits in was reviewed again.
  const [a] = world.attempts('A');
  expect([...world.state.sessions.values()].filter(({ reviews }) => reviews === a?.id)).toHaveLength(2);
});

test('a question of one lane does not end the conversation of an attempt in the merge queue', async () => {
  let refuses = true;
  const features = [
    { name: 'A', attempts: [writesAfter(1, 'A')] },
    { name: 'B', attempts: [writesAfter(2, 'B')] },
    { name: 'D' },
  ];
  const faults = (request: ServedRequest) => (refuses && isOfFeature(request, 3) ? REFUSED : null);
  const { world, allowedCommands, go } = await laneWorld([{ features }], { faults });
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  await world.until('both work', () => world.happened('attempt_started').length === 2);
  go(2);
  await world.asked('provider');
  go(1);
  await world.until('A is queued', () => world.happened('attempt_queued').length === 1);
  await world.is('awaiting_steward');
  refuses = false;
  await world.approve('provider');
  await world.is('completed');
  expect(world.happened('approval_requested')).toHaveLength(1);
});

test('the tree of a lane that is lost, and a setup that is added, cost no work', async () => {
  let refuses = true;
  let nth = 0;
  const twoRounds = [attempt(write('B.txt', 'B')), writesAfter(2, 'B2')].flatMap(({ turns }) => turns);
  const features = [
    { name: 'A', attempts: [writesAfter(1, 'A')] },
    { name: 'B', attempts: [{ turns: twoRounds }] },
  ];
  const faults = (request: ServedRequest) => (refuses && isOfFeature(request, 2) && ++nth === 2 ? REFUSED : null);
  const { world, allowedCommands, go } = await laneWorld([{ features }], { faults });
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  await world.asked('provider');
  refuses = false;
  await world.owner.request('addSetup', { jobId: world.jobId, command: 'ls' });
  go(1);
  await world.is('awaiting_steward');
  await world.approve('provider');
  await world.until('B works again', () => isAt(world, 2));
  rmSync(`${world.job.clone_dir}-2`, { recursive: true, force: true });
  go(2);
  await world.is('completed');
  expect(filesOf(world)).toEqual(expect.arrayContaining(['A.txt', 'B.txt', 'B2.txt']));
  expect(world.happened('clone_lost')).toEqual([]);
});

test('a job with lanes waits for the answer about a command of its review', async () => {
  const { world, allowedCommands } = await laneWorld([{ features: [{ name: 'A' }], verify: ['ls A.txt'] }]);
  await using _ = world;
  await world.submit({ lanes: 2, allowedCommands });
  // In the worker's tree, then in a fresh checkout.
  await world.is('awaiting_steward');
  await world.approve('command');
  await world.until('the review asks', () => world.happened('phase_reviewing').length === 1);
  await world.is('awaiting_steward');
  await world.approve('command');
  await world.is('completed');
});
