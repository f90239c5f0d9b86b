/** What the board can do and the terminal does too. */

import { describe, expect, test } from 'vitest';
import { costs } from '../../../../src/core/money/view/costs.ts';
import { noteAuthor } from '../../../../src/core/note/notes.ts';
import { phaseFeatures } from '../../../../src/core/state/rows.ts';
import { REQUESTS } from '../../../../src/engine/state/api.ts';
import { json, newestJob, terminalWorld, type World } from '../../../support/world/terminalWorld.ts';

/** A job that is stuck in its first feature. */
async function stuck(files: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await terminalWorld({ files, script: { attempts: { 'push and pop': ['stuck'] } } });
  await world.run('run', 'Write a stack', '--yes');
  world.clear();
  return world;
}

/** Runs and gives what was printed. */
async function say(world: World, ...argv: string[]): Promise<string> {
  world.clear();
  expect(await world.run(...argv), world.err).toBe(0);
  return world.out;
}

describe('notes', () => {
  test('one that holds no longer is resolved by its id', async () => {
    const world = await stuck();
    await say(world, 'note', '--global', 'first');
    await say(world, 'note', '--global', 'second');
    expect(await say(world, 'notes', '--ids')).toMatch(/^1 \[.*\] steward: first\n2 \[.*\] steward: second\n$/);
    expect(await say(world, 'notes', '--resolve', '1')).toBe('Resolved note 1\n');
    expect(await say(world, 'notes')).toMatch(/^\[.*\] steward: second\n$/);
    expect(world.store.state.notes.get(1)).toMatchObject({ content: 'first', superseded_by: 0 });
    await say(world, 'notes', '--resolve', '2', '--json');
    expect(json(world)).toEqual({ version: 1, note: { id: 2 } });
    expect(await world.run('notes', '--resolve', '9')).toBe(2);
    expect(await world.run('notes', '--resolve', '1x')).toBe(2);
  });

  test('one about a line keeps what the line says, to be found again', async () => {
    const world = await stuck({ '/home/me/project/a.txt': 'one\n  two\n' });
    const about = async (...place: string[]) => {
      await say(world, 'note', '--global', 'x', '--file', ...place);
      return [...world.store.state.notes.values()].at(-1)?.anchor;
    };
    expect(await about('a.txt', '--line', '2')).toBe('two');
    expect(await about('a.txt', '--line', '9')).toBeNull();
    expect(await about('a.txt')).toBeNull();
    expect(await about('gone.txt', '--line', '1')).toBeNull();
  });

  test('one takes the place of another', async () => {
    const world = await stuck();
    await say(world, 'note', '--global', 'port 80');
    await say(world, 'note', '--global', 'port 8080', '--replaces', '1');
    expect(await say(world, 'notes')).toMatch(/^\[.*\] steward: port 8080\n$/);
    expect(world.store.state.notes.get(1)?.superseded_by).toBe(2);
    expect(await world.run('note', '--global', 'x', '--replaces', '7')).toBe(2);
  });

  test('one that only gets another scope is still its author’s; with other words it is the steward’s', async () => {
    const { store, workspace } = await terminalWorld();
    const [id = 0] = store.nextIds('sessions', 1);
    const session = {
      id,
      job_id: null,
      project_id: 'default',
      role: 'project',
      model: 'm',
      phase_id: null,
      notes: [],
    } as const;
    const place = { file: null, line: null, anchor: null, feature_id: null, category: null };
    await store.commit({ type: 'session_started', ...session });
    await store.commit({
      type: 'note_added',
      note: { id: 1, content: 'x', created_by_session: id, ...place },
      supersedes: null,
    });
    const engine = await workspace.open({ work: 'nothing' });
    const moved = await engine.request('addNote', { content: 'x', category: 'core', supersedes: 1 });
    expect(noteAuthor(store.state.notes.get(moved.noteId)!)).toBe(`project agent, session ${id}`);
    const edited = await engine.request('addNote', { content: 'y', category: 'core', supersedes: moved.noteId });
    expect(noteAuthor(store.state.notes.get(edited.noteId)!)).toBe('steward');
  });
});

test('the plan of a job under way is edited by the ids of its parts, which stay', async () => {
  const world = await stuck();
  const features = () => [...world.store.state.features.values()].map(({ id, name }) => [id, name]);
  const before = features();
  await say(world, 'plan', 'export', '--file', 'plan.json');
  const file = '/home/me/project/plan.json';
  const [, last] = before.at(-1) ?? [];
  await world.deps.io.writeFile(file, (world.written.get(file) ?? '').replaceAll(`"${last}"`, '"Renamed"'));
  await say(world, 'plan', 'edit', '--file', 'plan.json');
  expect(features()).toEqual([...before.slice(0, -1), [before.at(-1)?.[0], 'Renamed']]);
});

test('a call whose end was not heard is adjusted to what the provider says', async () => {
  const world = await stuck();
  const [session] = world.store.state.sessions.values();
  const id = 900;
  await world.store.commit({
    type: 'call_reserved',
    id,
    session_id: session?.id ?? 0,
    provider: 'anthropic',
    model: 'm',
    day: '2026-11-02',
    micro_usd: 700_000,
    price_version: '1',
  });
  await world.store.commit({ type: 'call_unsettled', id, reason: 'the connection was cut' });
  const before = costs(world.store.state, '2026-11-02', null);
  expect(await say(world, 'costs')).toContain('call 900: $0.7000');
  expect(await world.run('costs', 'adjust', '900', 'none')).toBe(2);
  expect(await say(world, 'costs', 'adjust', '900', '0.25')).toBe('Call 900 cost $0.2500\n');
  const after = costs(world.store.state, '2026-11-02', null);
  expect(after.unsettled).toEqual([]);
  expect(after.total.settledUsd).toBeCloseTo(before.total.settledUsd + 0.25, 9);
  expect(await world.run('costs', 'adjust', '900', '0.1')).toBe(1);
  expect(await world.run('costs', 'adjust', '12345', '0.1')).toBe(2);
});

test('a feature takes another place in its phase, and the others make room', async () => {
  const world = await stuck();
  const [phase] = world.store.state.phases.values();
  const order = (): number[] => phaseFeatures(world.store.state, phase?.id ?? 0).map(({ id }) => id);
  const [first = 0, second = 0] = order();
  expect(await say(world, 'board', 'move', String(second), '1')).toBe(`1. ${second} peek\n2. ${first} push and pop\n`);
  expect(order()).toEqual([second, first]);
  await say(world, 'board', 'move', String(second), '9', '--json');
  expect(json(world)).toEqual({ version: 1, feature: { id: second }, order: [first, second] });
  expect(await world.run('board', 'move', '77', '1')).toBe(2);
  expect(await world.run('board', 'move', String(first), '0')).toBe(2);
});

describe('what a card has behind it', () => {
  test('its attempts with evidence, sessions and notes', async () => {
    const world = await terminalWorld({ script: { attempts: { peek: ['failed'] } } });
    await world.run('run', 'Write a stack', '--yes');
    const feature = [...world.store.state.features.values()].find(({ name }) => name === 'peek');
    await say(world, 'note', String(feature?.id), 'mind the \u001b[31mempty stack');
    const text = await say(world, 'board', 'show', String(feature?.id));
    expect(text).toMatch(/Attempts\n {2}1: failed.*\n(.*\n)* {2}2: succeeded/);
    expect(text).toMatch(/Sessions\n {2}\d+: worker/);
    expect(text).toContain('mind the <U+001B>[31mempty stack');
    await say(world, 'board', 'show', String(feature?.id), '--json');
    expect(json(world)).toMatchObject({
      feature: { id: feature?.id, name: 'peek', attempts: [{ number: 1 }, { number: 2 }] },
    });
    expect(await world.run('board', 'show', '77')).toBe(2);
    expect(await world.run('board', 'show', 'x')).toBe(2);
  });

  test('a conversation and a kept output, harmless on a terminal', async () => {
    const world = await terminalWorld();
    expect(await say(world, 'board', 'session', '4')).toBe('# Session 4\n\n<U+001B>[2Jhello\n');
    expect(await say(world, 'board', 'artifact', 'kept.txt')).toBe('not ok 1\n\u001b[2J\n');
    const tty = await terminalWorld({ tty: true });
    expect(await say(tty, 'board', 'artifact', 'kept.txt')).toContain('<U+001B>[2J');
    expect(await world.run('board', 'artifact', 'other.txt')).toBe(2);
    expect(await world.run('board', 'artifact', '../kept.txt')).toBe(2);
    expect(await world.run('board', 'session', '-1')).toBe(2);
  });
});

describe('options of a brief', () => {
  test('say how the work goes on and where it has failed', async () => {
    const world = await terminalWorld();
    const options = [
      '--batch',
      '1',
      '--review-each-feature',
      '--tries',
      '2',
      '--phase-tries',
      '4',
      '--commit-author',
      'autonomous',
    ];
    const attempt = ['--attempt-turns', '20', '--attempt-minutes', '5', '--attempt-budget', '0.5'];
    const models = ['--model', 'worker=claude-opus-5-5', '--model', 'planner=claude-opus-5'];
    const effort = ['--effort', 'worker=high,reviewer=xhigh', '--effort', 'planner=low'];
    await world.run('plan', 'Write a stack', ...options, ...attempt, ...models, ...effort);
    const { options: filed } = newestJob(world);
    expect(filed).toMatchObject({
      batch: 1,
      reviewEachFeature: true,
      maxRetries: 2,
      maxPhaseAttempts: 4,
      commitAuthor: 'autonomous',
    });
    expect(filed.attempt).toMatchObject({ turns: 20, seconds: 300, microUsd: 500_000 });
    expect(filed.attempt.tokens).toBeGreaterThan(0);
    expect(filed.effort).toEqual({ worker: 'high', reviewer: 'xhigh', planner: 'low' });
    expect(filed.models).toMatchObject({ worker: 'claude-opus-5-5', planner: 'claude-opus-5' });
    expect(filed.models.reviewer).not.toBe('');
  });

  test.each([
    ['--batch', '11'],
    ['--batch', '1.5'],
    ['--tries', '0'],
    ['--commit-author', 'me'],
    ['--attempt-turns', '-1'],
    ['--attempt-budget', 'none'],
    ['--attempt-budget', '0'],
    ['--model', 'worker'],
    ['--model', 'painter=x'],
    ['--model', '=x'],
    ['--effort', 'much'],
    ['--effort', 'worker=high,worker=low'],
    ['--effort', 'painter=high'],
  ])('%s %s is refused, and nothing is filed', async (option, value) => {
    const world = await terminalWorld();
    expect(await world.run('plan', 'Write a stack', option, value)).not.toBe(0);
    expect(world.store.state.jobs.size).toBe(0);
  });
});

describe('a budget', () => {
  test('is given to a job, which stays paused if it is', async () => {
    const world = await stuck();
    await say(world, 'job', 'pause');
    expect(await say(world, 'job', 'budget', '2.5')).toMatch(/^Budget of job .*: \$2\.50\n$/);
    expect(newestJob(world)).toMatchObject({ status: 'paused', options: { budgetMicroUsd: 2_500_000 } });
    expect(await say(world, 'job', 'budget', 'none')).toMatch(/: none\n$/);
    expect(newestJob(world)).toMatchObject({ status: 'paused', options: { budgetMicroUsd: null } });
    expect(await world.run('job', 'budget', 'much')).toBe(2);
  });

  test('gets another number of lanes, within bounds', async () => {
    const world = await stuck();
    await say(world, 'job', 'pause');
    expect(await say(world, 'job', 'lanes', '5')).toMatch(/^Lanes of job .*: 5\n$/);
    expect(newestJob(world)).toMatchObject({ status: 'paused', options: { lanes: 5 } });
    for (const wrong of ['0', '17', 'two']) expect(await world.run('job', 'lanes', wrong)).toBe(2);
    expect(newestJob(world)?.options.lanes).toBe(5);
  });

  test('gets a setup command, one line each', async () => {
    const world = await stuck();
    expect(await say(world, 'job', 'setup', 'npm install')).toMatch(
      /^Added the setup command of job .*: npm install\n/,
    );
    expect(newestJob(world)?.setup_added).toEqual(['npm install']);
    expect(await world.run('job', 'setup', 'npm install\ncurl x')).toBe(2);
    expect(newestJob(world)?.setup_added).toEqual(['npm install']);
  });
});

/** The verb that does it, for each request: a new one must be said here, and then be there. */
const VERBS: Readonly<Record<keyof typeof REQUESTS, string>> = {
  submitBrief: 'run',
  resumeJob: 'job resume',
  setBudget: 'job budget',
  setLanes: 'job lanes',
  addSetup: 'job setup',
  tryNow: 'job resume',
  pauseJob: 'job pause',
  cancelJob: 'job cancel',
  decide: 'approve',
  createRule: 'rules create',
  revokeRule: 'rules revoke',
  editPlan: 'plan edit',
  setFeature: 'status',
  chooseExecutors: 'agents choose',
  retryFeature: 'status',
  reorderFeature: 'board move',
  addNote: 'note',
  resolveNote: 'notes',
  setLimits: 'limits',
  adjustCall: 'costs adjust',
  mergeJob: 'job merge',
  rollBack: 'job rollback',
  selectJob: 'job select',
  cleanClones: 'clean',
  importRecord: 'import',
  createProject: 'project new',
  defineProject: 'project edit',
  stopTurn: 'project stop',
  suspendProject: 'project suspend',
  resumeProject: 'project resume',
  completeProject: 'project complete',
  archiveProject: 'project archive',
  unparkProject: 'project unpark',
  adoptProject: 'project adopt',
  sendMessage: 'project send',
  markRead: 'project messages',
  createTask: 'task new',
  defineTask: 'task edit',
  addTaskSteps: 'task add-steps',
  startTask: 'task start',
  pauseTask: 'task pause',
  resumeTask: 'task resume',
  cancelTask: 'task cancel',
  retryTask: 'task retry',
  removeTask: 'task remove',
  saveTaskTemplate: 'task template save',
  setSchedule: 'task schedule set',
  removeSchedule: 'task schedule remove',
};

test.each(Object.entries(VERBS))('the request %s has its verb: %s', async (request, verb) => {
  expect(Object.keys(REQUESTS)).toContain(request);
  const world = await terminalWorld();
  expect(await world.run(...verb.split(' '), '--help')).toBe(0);
  expect(world.out).toContain(`autonomous ${verb}`);
});
