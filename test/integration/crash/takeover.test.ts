/** More than one process on a workspace: one owns it, the others look on, and one of them follows it when it is gone. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { becomeClient } from '../../../src/app/open/client.ts';
import { isOwned, newestEvents } from '../../../src/app/open/ownership/presence.ts';
import type { Owner } from '../../../src/app/owner/assemble.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import { openEngine } from '../../../src/app/workspace/engine.ts';
import { findOwner } from '../../../src/app/workspace/findOwner.ts';
import type { Engine } from '../../../src/engine/state/api.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { outcomeOf, underWay } from '../../support/crash/crashOutcome.ts';
import { oneFile } from '../../support/crash/crashScenario.ts';
import { type CrashWorld, crashWorld, soon } from '../../support/crash/crashWorld.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const programs = await testPrograms(inject('tempRoot'));

async function clientOf(world: CrashWorld): Promise<{ client: Engine; events: Event[]; lost: string[] }> {
  let owned = false;
  await soon('an owner', () => {
    void isOwned(world.options).then((answer) => {
      owned ||= answer;
    });
    return owned;
  });
  const client = await becomeClient(world.options);
  const [events, lost]: [Event[], string[]] = [[], []];
  client.follow({ event: (event) => events.push(event), lost: (reason) => lost.push(reason) });
  return { client, events, lost };
}

const pending = ({ state }: Engine) => [...state.approvals.values()].find((row) => row.status === 'pending');

/** Resumes the job and answers for it until it is over. */
async function finish(owner: Owner): Promise<void> {
  const [job] = owner.state.jobs.values();
  await owner.request('resumeJob', { jobId: job?.id ?? '' });
  const over = () => owner.state.jobs.get(job?.id ?? '')?.status === 'completed';
  while (!over()) {
    const asked = await soon('the next question', () => over() || pending(owner));
    if (asked === true) continue;
    const choice = asked.choices[0] ?? null;
    await owner.request('decide', { approvalId: asked.id, decision: 'approved', choice });
  }
}

describe('a second process', () => {
  test('is refused as owner, looks on live, answers, and takes over when the owner is killed', async () => {
    await using world = await crashWorld(programs, 0, oneFile);
    const sign = async () => ({
      newest: await newestEvents(world.places.stateDir),
      isOwned: await isOwned(world.options),
    });
    expect(await sign()).toEqual({ isOwned: false, newest: null });
    const first = world.start(false);
    const { client, events, lost } = await clientOf(world);
    await expect(becomeOwner(world.options)).rejects.toMatchObject({
      code: 'OWNER_BUSY',
      details: { pid: first.pid },
    });

    const asked = await soon('the plan gate', () => pending(client));
    expect(asked.kind).toBe('plan');
    const seen = await sign();
    expect(seen).toEqual({ isOwned: true, newest: expect.any(String) });
    await client.request('decide', { approvalId: asked.id, decision: 'approved' });
    await soon('an attempt', () => events.some(({ type }) => type === 'attempt_started'));
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['approval_decided', 'plan_accepted']));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => (events[0]?.seq ?? 0) + at));

    first.kill('SIGKILL');
    await first.exit;
    await soon('the news', () => lost.length > 0);
    await expect(client.request('pauseJob', { jobId: asked.job_id ?? '' })).rejects.toMatchObject({
      code: 'OWNER_UNREACHABLE',
    });
    await client.close();
    expect(lost).toHaveLength(1);

    const owner = await becomeOwner(world.options);
    const second = await sign();
    expect(second).toEqual({ isOwned: true, newest: expect.any(String) });
    expect(second.newest).not.toBe(seen.newest);
    await finish(owner);
    await owner.close();
    const state = await world.state();
    expect(underWay(world, state)).toEqual([]);
    expect(outcomeOf(world, state)).toMatchObject({ jobs: 1, job: ['completed', 'One file', 0, 'merge'] });
  });

  test('is refused while an owner lives whose files were removed, reaches it again, and goes on when it is gone', async () => {
    await using world = await crashWorld(programs, 100, oneFile);
    const first = world.start(false);
    const { client, lost } = await clientOf(world);
    await soon('its job', () => client.state.jobs.size === 1);
    first.kill('SIGSTOP');
    rmSync(world.places.runtimeDir, { recursive: true });
    const busy = { code: 'OWNER_BUSY', details: { pid: first.pid, silent: true } };
    await expect(openEngine(world.options)).rejects.toMatchObject(busy);
    const find = (configDir = world.places.configDir) =>
      findOwner({ ...world.options, places: { ...world.places, configDir } }, client.state, false);
    expect(await find()).toMatchObject({ owned: null, atWork: { jobs: [...client.state.jobs.keys()] }, silent: busy });
    const elsewhere = join(world.places.jobsDir, 'no key here');
    expect(await find(elsewhere)).toMatchObject({ owned: false, atWork: { works: false, jobs: [] }, silent: null });
    expect(existsSync(elsewhere)).toBe(false);
    expect(lost).toEqual([]);
    first.kill('SIGCONT');
    await soon(
      'its files',
      () => existsSync(world.places.runtimeDir) && readdirSync(world.places.runtimeDir).length === 2,
    );
    const second = await openEngine(world.options);
    expect(second).toMatchObject({ owner: false, ownerPid: first.pid });
    await second.close();
    // It was found to be out of reach a moment ago, and answers now.
    expect(await find()).toMatchObject({ owned: true, silent: null });
    first.kill('SIGKILL');
    await soon('the news', () => lost.length > 0);
    await client.close();
    expect(await find()).toMatchObject({ owned: false, silent: null });
    const owner = await becomeOwner(world.options);
    await finish(owner);
    await owner.close();
    const state = await world.state();
    expect(underWay(world, state)).toEqual([]);
    expect([...state.features.values()].map((row) => [row.status, row.retry_count])).toEqual([['completed', 0]]);
    await first.exit;
  });
});

test('one that cannot work for its settings is no owner, and keeps nobody from being it', async () => {
  await using world = await crashWorld(programs, 0, oneFile);
  const credentials = { key: () => 'sk-a-key', baseUrl: 'http://example.org' };
  await expect(becomeOwner({ ...world.options, credentials })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const owner = await becomeOwner(world.options);
  await owner.close();
});
