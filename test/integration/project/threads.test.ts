/** Real worker threads of several projects, and what the death of one means to the others. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, inject, test } from 'vitest';
import type { OwnerOptions } from '../../../src/app/owner/ownerOptions.ts';
import type { Fault } from '../../support/crash/faultyWorker.ts';
import { plainGit } from '../../support/git/gitFixture.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

/** Projects answered by the simulated model; `fail` plans how the next threads of one end. */
async function open(names: readonly string[], owner: Partial<OwnerOptions> = {}) {
  const { worker, fewPrograms, compiled, program } = await testPrograms(inject('tempRoot'));
  const faults = join(inject('tempRoot'), `faults-${crypto.randomUUID()}`);
  mkdirSync(faults);
  const world = await EngineWorld.open({
    owner: {
      workerScript: program('faultyWorker'),
      env: { PATH: fewPrograms, FAULTS: faults, WORKER: worker.href, NODE_COMPILE_CACHE: compiled },
      threadPatienceMs: 60_000,
      ...owner,
    },
  });
  const fail = (project: string, ...planned: Fault[]) => writeFileSync(join(faults, project), planned.join('\n'));
  /** Resolves when only so many planned ends are left. */
  const left = (project: string, count: number) =>
    world.until(`${project} has ${count} faults left`, () => {
      const planned = readFileSync(join(faults, project), 'utf8');
      return planned.split('\n').filter((line) => line !== '').length === count;
    });
  const create = (name: string) => world.owner.request('createProject', { name, provider: 'simulated', body: 'Talk.' });
  for (const name of names) await create(name);
  return { world, fail, left, create };
}

type Opened = Awaited<ReturnType<typeof open>>;

const said = ({ world }: Opened, project: string, sender: string): string[] =>
  [...world.state.messages.values()]
    .filter((row) => row.project_id === project && row.direction === 'out' && row.sender === sender)
    .map((row) => row.text);

/** Says it, and waits until the conversation holds it and rests. */
async function answered({ world }: Opened, project: string): Promise<void> {
  const { messageId } = await world.owner.request('sendMessage', { project, text: 'What is the state of things?' });
  await world.until(
    `${project} holds message ${messageId}`,
    () => world.state.messages.get(messageId)?.read_at !== null,
  );
  await world.until(`${project} was answered`, () => {
    const session = [...world.state.sessions.values()].find((row) => row.project_id === project && row.job_id === null);
    const calls = [...world.state.spends.values()].filter((row) => row.session_id === session?.id);
    return calls.at(-1)?.status === 'settled' && calls.at(-1)?.tool_calls === 0;
  });
}

describe('a thread that dies', () => {
  test('throws, exits, eats memory or answers no more: it is told and started again; the others and the owner go on', async () => {
    const opened = await open(['steady'], { threadMb: 96 });
    await using world = opened.world;
    const deaths: Readonly<Record<string, readonly [Fault, RegExp]>> = {
      thrower: ['throws', /planted/],
      quitter: ['exits', /ended with 3/],
      eater: ['eats memory', /memory/i],
      hanging: ['is busy for ever', /did not answer for 60 s/],
    };
    for (const [name, [fault]] of Object.entries(deaths)) {
      opened.fail(name, fault);
      await opened.create(name);
    }
    const [hanging = '', ...others] = Object.keys(deaths).toReversed();
    for (const name of others) {
      await world.until(`the death of ${name} is told`, () => said(opened, name, 'engine').length === 1);
    }
    await Promise.all(['steady', ...others].map((name) => answered(opened, name)));
    // From here on nobody else works, who would have to answer in that minute.
    await opened.left(hanging, 0);
    await world.until('nobody else works', () => world.owner.atWork().turns.length === 0);
    const heard = answered(opened, hanging);
    await world.until('the silence is noticed', () => {
      world.clock.skip(5_000);
      return said(opened, hanging, 'engine').length === 1;
    });
    await heard;
    for (const [name, [, why]] of Object.entries(deaths))
      expect(said(opened, name, 'engine')).toEqual([expect.stringMatching(why)]);
    expect(said(opened, 'steady', 'engine')).toEqual([]);
  });

  test('not even when it is told to: it is ended, for a suspension and at the end of the owner', async () => {
    const opened = await open(['steady']);
    await using world = opened.world;
    opened.fail('faulty', 'is busy for ever', 'is busy for ever');
    await opened.create('faulty');
    const { messageId } = await world.owner.request('sendMessage', { project: 'faulty', text: 'Hello?' });
    await opened.left('faulty', 1);
    await world.owner.request('suspendProject', { project: 'faulty', reason: 'it hangs' });
    await answered(opened, 'steady');
    await world.owner.request('resumeProject', { project: 'faulty' });
    await opened.left('faulty', 0);
    await world.restart();
    await Promise.all([answered(opened, 'faulty'), answered(opened, 'steady')]);
    expect(world.state.messages.get(messageId)?.read_at).not.toBeNull();
    expect(said(opened, 'faulty', 'engine')).toEqual([]);
  });

  test('three times in a row parks its project; the steward starts it again', async () => {
    const opened = await open(['steady']);
    await using world = opened.world;
    opened.fail('faulty', 'exits', 'throws', 'exits');
    await opened.create('faulty');
    const asked = await world.until('the steward is asked', () =>
      [...world.state.approvals.values()].find((row) => row.kind === 'project'),
    );
    expect(world.state.projects.get('faulty')?.parked).toContain('3 times in a row');
    // Its PROJECT.md neither lets it go nor is why it stands.
    const definition = join(world.places.stateDir, 'projects', 'faulty', 'PROJECT.md');
    const written = readFileSync(definition, 'utf8');
    for (const text of [written, 'no frontmatter', written]) {
      writeFileSync(definition, text);
      await world.owner.request('sendMessage', { project: 'faulty', text: 'Are you there?' });
      expect(world.state.projects.get('faulty')?.parked).toContain('3 times in a row');
    }
    await answered(opened, 'steady');
    await world.owner.request('decide', { approvalId: asked.id, decision: 'approved', choice: 'try_again' });
    expect(world.state.projects.get('faulty')?.parked).toBeNull();
    await answered(opened, 'faulty');
  });
});

test('what was said to a suspended project is answered when it is resumed, by another owner too', async () => {
  const opened = await open(['api', 'web']);
  await using world = opened.world;
  await Promise.all([answered(opened, 'api'), answered(opened, 'web')]);
  await world.owner.request('suspendProject', { project: 'api', reason: 'later' });
  const { messageId } = await world.owner.request('sendMessage', { project: 'api', text: 'Wake up.' });
  await world.restart();
  await answered(opened, 'web');
  expect(world.state.messages.get(messageId)?.read_at).toBeNull();
  await world.owner.request('resumeProject', { project: 'api' });
  await world.until('it is heard', () => world.state.messages.get(messageId)?.read_at !== null);
  expect(said(opened, 'api', 'engine')).toEqual([]);
});

test('a suspended project takes its job with it, and goes on with it where it was', async () => {
  const opened = await open(['api']);
  await using world = opened.world;
  await world.submit({ project: 'api' });
  await world.until('it works', () => world.happened('attempt_started').length === 1);
  await world.owner.request('suspendProject', { project: 'api', reason: 'later' });
  expect(world.job.status).toBe('paused');
  await world.until(
    'nothing of it runs',
    () => ![...world.state.attempts.values()].some((row) => row.status === 'running'),
  );
  await world.owner.request('resumeProject', { project: 'api' });
  await world.is('completed');
  const answers = world.server.bill.filter((call) => call.answered).length;
  expect([...world.state.spends.values()].filter((row) => row.status === 'settled')).toHaveLength(answers);
});

test('a project whose folder is deleted while its thread runs is parked, and answers what was said meanwhile once it may', async () => {
  const opened = await open(['api', 'web']);
  await using world = opened.world;
  await Promise.all([answered(opened, 'api'), answered(opened, 'web')]);
  const folder = join(world.places.stateDir, 'projects', 'api');
  // With the folder, the journal of its conversation goes.
  world.losesJournals = true;
  rmSync(folder, { recursive: true });
  await world.until('it is parked', () => world.state.projects.get('api')?.parked !== null);
  expect(world.state.projects.get('api')?.parked).toContain('is gone with its folder');
  const { messageId } = await world.owner.request('sendMessage', { project: 'api', text: 'Are you there?' });
  await answered(opened, 'web');
  expect(world.state.messages.get(messageId)?.read_at).toBeNull();
  expect(existsSync(folder)).toBe(false);
  await world.owner.request('unparkProject', { project: 'api' });
  await world.until('it is heard', () => world.state.messages.get(messageId)?.read_at !== null);
  await answered(opened, 'api');
  expect(said(opened, 'web', 'engine')).toEqual([]);
});

test('two projects on one other repository merge their jobs into it, each from its own clone', async () => {
  const opened = await open([]);
  await using world = opened.world;
  const other = join(world.folder, 'other');
  mkdirSync(other);
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['commit', '-q', '--allow-empty', '-m', 'Begin'],
  ]) {
    plainGit(other, args);
  }
  for (const name of ['api', 'web']) {
    await world.owner.request('createProject', { name, provider: 'simulated', workdir: other, body: 'Talk.' });
    const asked = await world.until(`${name} asks for trust`, () =>
      [...world.state.approvals.values()].find((row) => row.kind === 'workdir' && row.project_id === name),
    );
    await world.owner.request('decide', { approvalId: asked.id, decision: 'approved' });
  }
  for (const project of ['api', 'web']) {
    await world.run({ project, mergeMode: 'branch', brief: `Build it for ${project}.` });
    expect(world.job.repository).toBe(other);
    expect(plainGit(other, ['branch', '--list', world.job.branch]).trim()).toContain(world.job.branch);
  }
  expect(world.git('branch', '--list').trim()).toBe('* main');
});
