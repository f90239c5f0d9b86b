/** A job whose owner was killed: which of the next owners resumes it, and what the lists say meanwhile. */
import { expect, inject, test } from 'vitest';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import { CRASH_BRIEF, oneFile } from '../../support/crash/crashScenario.ts';
import { type CrashWorld, crashWorld, soon } from '../../support/crash/crashWorld.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const programs = await testPrograms(inject('tempRoot'));

/** Killed while the worker waits for its answer. The job's status says that it runs. */
async function killed(world: CrashWorld): Promise<string> {
  const run = world.cli('run', '--yes', '--no-setup', CRASH_BRIEF);
  await soon('the worker', () => world.server.requests.length >= 2);
  run.kill('SIGKILL');
  await run.exit;
  const [job] = (await world.state()).jobs.values();
  expect(job?.status).toBe('running');
  return job?.id ?? '';
}

async function listed(world: CrashWorld, ...verb: string[]): Promise<object> {
  const { stdout } = await world.cli(...verb, '--json').exit;
  return JSON.parse(stdout) as object;
}

test('is resumed by an owner that works, by none for one command, and no list calls it running meanwhile', async () => {
  await using world = await crashWorld(programs, 300, oneFile);
  const jobId = await killed(world);
  expect(await listed(world, 'jobs')).toMatchObject({ owned: false, atWork: [], jobs: [{ status: 'running' }] });
  expect(await listed(world, 'project', 'list')).toMatchObject({ projects: [{ id: 'default', doing: 'stopped' }] });

  const asked = world.server.requests.length;
  expect(await world.cli('note', '--global', 'mind this').exit).toMatchObject({ code: 0, stderr: '' });
  expect(world.server.requests).toHaveLength(asked);

  // The answer comes once the process is gone: until then the job works.
  const held = Promise.withResolvers<void>();
  Object.assign(world, { delayMs: 1, held: held.promise });
  const serve = world.cli('serve', '--port', '0');
  await soon('the worker again', () => world.server.requests.length > asked);
  expect(await listed(world, 'jobs')).toMatchObject({ owned: true, atWork: [jobId], jobs: [{ status: 'running' }] });
  expect(await listed(world, 'project', 'list')).toMatchObject({ projects: [{ id: 'default', doing: 'working' }] });
  serve.kill('SIGTERM');
  const { code, stderr } = await serve.exit;
  held.resolve();
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`stopped with this process: job ${jobId} (running)`),
  });
  expect(await listed(world, 'jobs')).toMatchObject({ owned: false, atWork: [] });
});

test('waits with a question where the key is missing, and goes on by itself where it is not', async () => {
  await using world = await crashWorld(programs, 300, oneFile);
  const jobId = await killed(world);
  world.delayMs = 0;
  const { baseUrl } = world.options.credentials;
  const keyless = await becomeOwner({ ...world.options, resumes: true, credentials: { key: () => null, baseUrl } });
  const asks = await soon('the question', () => [...keyless.state.approvals.values()].find(isPending));
  expect(asks).toMatchObject({ kind: 'provider', question: expect.stringContaining('there is no API key') });
  await soon('the job to wait', () => keyless.state.jobs.get(jobId)?.status === 'awaiting_steward');
  await keyless.close();

  const owner = await becomeOwner({ ...world.options, resumes: true });
  await soon('its next question', () => [...owner.state.approvals.values()].find(isPending)?.kind === 'command');
  expect(owner.state.approvals.get(asks.id)).toMatchObject({ status: 'void' });
  expect(owner.atWork()).toMatchObject({ works: true, jobs: [jobId] });
  expect([...owner.state.features.values()].map(({ retry_count }) => retry_count)).toEqual([0]);
  await owner.close();
});

const isPending = ({ status }: { readonly status: string }): boolean => status === 'pending';
