/** A workspace of an older tool: its features are shown at once, keep their ids, and are worked through. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import type { OwnerOptions } from '../../../src/app/owner/ownerOptions.ts';
import { lookAtBoard } from '../../../src/app/workspace/boardState.ts';
import { board } from '../../../src/core/job/view/board.ts';
import { approves, rejects, scenarioOf, writes } from '../../support/demo/briefs.ts';
import { startRepository } from '../../support/git/gitFixture.ts';
import { snapshotOf } from '../../support/git/snapshotOf.ts';
import { WASM_FILE } from '../../support/process/testPrograms.ts';
import { OLD_TABLES, oldDatabase } from '../../support/state/oldDatabase.ts';
import { QuickClock } from '../../support/time/quickClock.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const ROWS = [
  ...OLD_TABLES,
  `INSERT INTO features (id, name, description, category, testing_steps, status, retry_count) VALUES
    (3, 'Sign up', 'Users sign up.', 'auth', '["open the page"]', 'completed', 0),
    (5, 'Log in', 'Users log in.', 'auth', '["type a password","see the name"]', 'in_progress', 1),
    (8, 'Pay', 'Users pay.', 'shop', '["see the receipt"]', 'pending', 0),
    (9, 'Refund', 'Users get it back.', 'shop', '[]', 'failed', 3)`,
  `INSERT INTO notes (id, feature_id, category, content) VALUES (20, 5, NULL, 'the password is hashed twice')`,
];

const scenario = scenarioOf([
  {
    title: 'Backlog',
    features: [
      { name: 'Log in', attempts: [writes('login.txt')], reviews: [rejects('The name is missing.'), approves] },
      {
        name: 'Pay',
        attempts: ['receipt', 'price', 'date'].map((text) => writes('pay.txt', text)),
        reviews: [rejects('There is no price.'), rejects('The date is wrong.'), rejects('Nothing is paid.')],
      },
    ],
  },
]);

/** As the older tool left it. */
async function oldWorkspace(stateDir: string): Promise<void> {
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(join(stateDir, 'features.db'), await oldDatabase(...ROWS));
  writeFileSync(join(stateDir, 'progress.txt'), 'The server listens on 8080.\n');
}

/** An owner that found the older workspace when it started. */
const inOldWorkspace = async (options: OwnerOptions) => {
  await oldWorkspace(options.places.stateDir);
  return becomeOwner(options);
};

test('the first board shows the features with their ids and status, and looking writes nothing', async () => {
  const folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'old-')));
  const projectDir = join(folder, 'repo');
  mkdirSync(projectDir);
  startRepository(projectDir, { 'README.md': 'A shop.\n' });
  const stateDir = join(projectDir, '.autonomous');
  await oldWorkspace(stateDir);
  const before = snapshotOf(folder, true);
  const places = {
    projectDir,
    stateDir,
    jobsDir: join(folder, 'jobs'),
    configDir: join(folder, 'config'),
    runtimeDir: join(folder, 'run'),
  };
  const seen = await lookAtBoard({ places, clock: new QuickClock(), wasmFile: WASM_FILE, env: process.env });
  expect(board(seen.state).features.map(({ id, name, lane }) => [id, name, lane])).toEqual([
    [3, 'Sign up', 'completed'],
    [5, 'Log in', 'pending'],
    [8, 'Pay', 'pending'],
    [9, 'Refund', 'failed'],
  ]);
  expect(seen.problems).toEqual([]);
  expect(snapshotOf(folder, true)).toEqual(before);
});

test('run --backlog works through the pending features: same ids, testing steps, notes, up to three tries, no planner', async () => {
  await using world = await EngineWorld.open({ scenario, become: inOldWorkspace });
  await world.submit({ brief: '', backlog: true, gates: ['plan'], mergeMode: 'branch', batch: 2 });
  const gate = await world.asked('plan');
  expect(gate.question).toContain('2 features');
  await expect(world.owner.request('submitBrief', { backlog: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await world.approve('plan');
  await world.is('completed');

  expect(world.sent('planner')).toEqual([]);
  expect(world.job).toMatchObject({ title: 'Backlog: 2 features', options: { batch: 2, reviewEachFeature: true } });
  const rows = [...world.state.features.values()].map(({ id, job_id, status, retry_count }) => [
    id,
    job_id,
    status,
    retry_count,
  ]);
  expect(rows).toEqual([
    [3, null, 'completed', 0],
    [5, world.jobId, 'completed', 2],
    [8, world.jobId, 'failed', 3],
    [9, null, 'failed', 3],
  ]);
  const worker = world.opening('worker', 0, 'Log in');
  for (const text of ['type a password', 'see the name', 'the password is hashed twice', 'The server listens on 8080.'])
    expect(worker).toContain(text);
  expect(world.opening('reviewer', 0, 'Log in')).toContain('see the name');
  expect(world.attempts('Pay').map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
});

test('a plan of the backlog that is refused goes to a planner, which keeps the rows that it names', async () => {
  await using world = await EngineWorld.open({ scenario, become: inOldWorkspace });
  await world.submit({ brief: '', backlog: true, gates: ['plan'], mergeMode: 'branch' });
  await world.asked('plan');
  await world.reject('plan', 'Begin with the shop.');
  await world.until('a planner was asked', () => world.sent('planner').length > 0);
  await world.asked('plan');
  expect(world.opening('planner')).toContain('type a password');
  await world.approve('plan');
  await world.until('it is accepted', () => world.job.plan_accepted);
  expect([world.feature('Log in').id, world.feature('Pay').id]).toEqual([5, 8]);
  await world.owner.request('cancelJob', { jobId: world.jobId });
  expect([world.state.features.get(8)?.job_id, world.state.features.size]).toEqual([null, 4]);
});
