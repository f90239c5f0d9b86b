/** Before a brief, a task or a message is filed: key, price, model server, git and repository are looked at, and nothing is begun without them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { anthropicProvider } from '../../../src/adapters/gateway/wire/messagesWire.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import { openQuestions } from '../../../src/core/approval/sameCause.ts';
import type { ApprovalKind } from '../../../src/shared/approval.ts';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { plainGit } from '../../support/git/gitFixture.ts';
import { terminalProcess } from '../../support/process/terminalProcess.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { DEAD_ADDRESS } from '../../support/provider/deadAddress.ts';
import { scriptedServer } from '../../support/provider/scriptedServer.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const KEY = 'sk-ant-0123456789';

describe('a brief that could not run is refused, and nothing is filed', () => {
  test('without a key; with the simulated model none is needed', async () => {
    await using world = await EngineWorld.open({ key: null });
    await expect(world.submit()).rejects.toMatchObject({
      code: 'NOT_READY',
      message: 'the job cannot start: there is no API key for Anthropic',
      details: { codes: ['KEY_MISSING'], remedies: ['set_key', 'choose_provider'] },
    });
    expect([world.state.jobs.size, world.state.projects.size]).toEqual([0, 0]);
    await world.submit({ provider: 'simulated' });
    expect(world.state.jobs.size).toBe(1);
    expect(world.server.requests).toEqual([]);
  });

  test('with a model that has no price', async () => {
    await using world = await EngineWorld.open();
    await expect(world.submit({ models: { reviewer: 'own-1' } })).rejects.toMatchObject({
      details: { codes: ['MODEL_UNPRICED'], problems: ['there is no price for the model "own-1"'] },
    });
    expect(world.state.jobs.size).toBe(0);
  });

  test('with a model server that refuses connections', async () => {
    const credentials = { key: () => KEY, baseUrl: `http://${DEAD_ADDRESS}` };
    await using world = await EngineWorld.open({ owner: { credentials } });
    await expect(world.submit()).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringContaining(`http://${DEAD_ADDRESS} cannot be reached`),
      details: { codes: ['MODEL_UNAVAILABLE'] },
    });
    expect(world.state.jobs.size).toBe(0);
  });

  test('in a repository without a commit', async () => {
    await using world = await EngineWorld.open();
    const empty = join(world.folder, 'empty');
    plainGit(world.folder, ['init', '-q', empty]);
    const places = { ...world.places, projectDir: empty, stateDir: join(empty, '.autonomous') };
    const owner = await becomeOwner({ ...world.ownerOptions, places });
    try {
      await expect(owner.request('submitBrief', { brief: 'Build it.' })).rejects.toMatchObject({
        code: 'NOT_READY',
        details: { codes: ['REPOSITORY_UNSUPPORTED'], remedies: ['commit'] },
      });
    } finally {
      await owner.close();
    }
  });
});

describe('the model server', () => {
  test('is asked for nothing that could be billed, and without the key', async () => {
    await using server = await scriptedServer((response) => void response.writeHead(503).end());
    const provider = anthropicProvider({ baseUrl: server.baseUrl, key: async () => KEY, clock: new FakeClock() });
    expect(await provider.check?.([])).toEqual([]);
    expect(server.seen).toMatchObject([{ url: '/', body: '' }]);
    expect(JSON.stringify(server.seen)).not.toContain(KEY);
  });

  test('that does not answer in time is a warning, and the brief is filed', async () => {
    const clock = new FakeClock();
    await using server = await scriptedServer(() => clock.advance(5_000));
    const provider = anthropicProvider({ baseUrl: server.baseUrl, key: async () => KEY, clock });
    expect(await provider.check?.([])).toMatchObject([{ code: 'MODEL_UNAVAILABLE', details: { reason: 'slow' } }]);
  });

  test('is not asked without a key', async () => {
    await using server = await scriptedServer((response) => void response.end());
    const provider = anthropicProvider({ baseUrl: server.baseUrl, key: async () => '', clock: new FakeClock() });
    expect(await provider.check?.([])).toMatchObject([{ code: 'KEY_MISSING' }]);
    expect(server.seen).toEqual([]);
  });
});

describe('the same for what else would call a model', () => {
  const step = { name: 'Ask', action: 'llm_generate', params: { prompt: 'Hi' } };
  const task = { name: 'Asks', steps: [step] };
  const plain = { name: 'Tells', steps: [{ name: 'Tell', action: 'notify', params: { title: 'Hi' } }] };

  test('a task at its start, a schedule, a message; not a task that calls none', async () => {
    await using world = await EngineWorld.open({ key: null });
    const { owner } = world;
    const refused = { code: 'NOT_READY', details: { codes: ['KEY_MISSING'] } };
    await expect(owner.request('createTask', { definition: task, start: true, by: 'api' })).rejects.toMatchObject(
      refused,
    );
    const { taskId } = await owner.request('createTask', { definition: task });
    await expect(owner.request('startTask', { taskId })).rejects.toMatchObject(refused);
    const times = { name: 'Nightly', cron: '0 3 * * *', timeZone: 'UTC' };
    await expect(owner.request('setSchedule', { ...times, definition: task })).rejects.toMatchObject(refused);
    await expect(owner.request('sendMessage', { project: 'default', text: 'Hi' })).rejects.toMatchObject(refused);
    await expect(owner.request('sendMessage', { project: 'main', text: 'Hi' })).rejects.toMatchObject(refused);
    expect([world.state.messages.size, world.state.schedules.size]).toEqual([0, 0]);
    await owner.request('setSchedule', { ...times, definition: plain });
    await owner.request('createTask', { definition: plain, start: true });
  });
});

describe('one cause is one question', () => {
  test('two jobs whose key is gone wait for one answer, which settles both', async () => {
    let key: string | null = 'sk-secret-of-the-user';
    await using world = await EngineWorld.open({ key: () => key });
    const jobs: string[] = [];
    for (const brief of ['Build it.', 'Build it too.']) {
      await world.submit({ brief, gates: ['plan'] });
      jobs.push(world.jobId);
      await world.until('its plan waits', () => pendingOf(world, 'plan').some((row) => row.job_id === world.jobId));
    }
    key = null;
    for (const { id } of pendingOf(world, 'plan'))
      await world.owner.request('decide', { approvalId: id, decision: 'approved' });
    const asked = await world.until('both ask', () => {
      const rows = pendingOf(world, 'provider');
      return rows.length === 2 && rows;
    });
    const [question, ...more] = openQuestions(world.state);
    expect([more, question?.others.length, question?.row.subject]).toEqual([[], 1, expect.stringContaining('KEY_')]);
    key = 'sk-secret-of-the-user';
    const [first, ...others] = asked.map(({ id }) => id);
    await world.owner.request('decide', { approvalId: first ?? 0, decision: 'approved', also: others });
    expect(pendingOf(world, 'provider')).toEqual([]);
    for (const jobId of jobs) {
      await world.until('a worker is asked', () =>
        [...world.state.spends.values()].some((row) => row.job_id === jobId && row.role === 'worker'),
      );
    }
  });
});

const pendingOf = (world: EngineWorld, kind: ApprovalKind) =>
  [...world.state.approvals.values()].filter((row) => row.kind === kind && row.status === 'pending');

describe('the terminal', () => {
  const built = testPrograms(inject('tempRoot'));

  test('exits with 2 and the command to type, and leaves nothing behind', async () => {
    await using world = await terminalProcess(await built, {
      scenario: ONE_FEATURE,
      env: () => ({ ANTHROPIC_API_KEY: '' }),
    });
    const { code, stdout, stderr } = await world.cli('run', '--yes', 'Build it.').exit;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      [
        'autonomous: the job cannot start: there is no API key for Anthropic',
        '  In a terminal: export ANTHROPIC_API_KEY=KEY. In VS Code: run "Autonomous: Set API Key". Or choose another provider.',
        '',
      ].join('\n'),
    );
    expect(existsSync(join(world.repo, '.autonomous'))).toBe(false);
  });

  test('asks the model server once whether it answers, for a first brief too', async () => {
    await using server = await scriptedServer((response) => void response.writeHead(401).end());
    await using world = await terminalProcess(await built, {
      scenario: ONE_FEATURE,
      env: () => ({ ANTHROPIC_BASE_URL: server.baseUrl }),
    });
    await world.cli('run', '--no-setup', 'Build it.').exit;
    expect(existsSync(join(world.repo, '.autonomous'))).toBe(true);
    expect(server.seen.filter(({ url }) => url === '/')).toHaveLength(1);
  });

  test('refuses a first brief whose model server refuses connections', async () => {
    await using world = await terminalProcess(await built, {
      scenario: ONE_FEATURE,
      env: () => ({ ANTHROPIC_BASE_URL: `http://${DEAD_ADDRESS}` }),
    });
    const { code, stderr } = await world.cli('run', '--no-setup', 'Build it.').exit;
    expect(code).toBe(2);
    expect(stderr).toContain(`the job cannot start: the model server http://${DEAD_ADDRESS} cannot be reached`);
  });

  test('names all that is missing at once', async () => {
    await using world = await terminalProcess(await built, {
      scenario: ONE_FEATURE,
      env: () => ({ ANTHROPIC_API_KEY: '' }),
    });
    const bare = join(world.folder, 'no-repository');
    plainGit(world.folder, ['init', '-q', bare]);
    const { code, stdout } = await world.cli('--project-dir', bare, '--json', 'plan', 'Build it.').exit;
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'NOT_READY',
        problems: ['this repository has no commit yet', 'there is no API key for Anthropic'],
      },
    });
    expect(existsSync(join(bare, '.autonomous'))).toBe(false);
  });

  test('doctor finds the same', async () => {
    await using world = await terminalProcess(await built, {
      scenario: ONE_FEATURE,
      env: () => ({ ANTHROPIC_BASE_URL: `http://${DEAD_ADDRESS}` }),
    });
    const { code, stdout } = await world.cli('doctor', '--json').exit;
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    const found = (name: string) => checks.find((check) => check.name === name);
    expect(found('repository')).toMatchObject({ ok: true });
    expect(found('price')).toMatchObject({ ok: true });
    expect(found('endpoint')).toMatchObject({ ok: false, detail: expect.stringContaining(DEAD_ADDRESS) });
  });
});
