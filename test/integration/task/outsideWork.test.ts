/** What steps do outside the owner, through a whole owner: worker threads that die, commands, fetches, and actions of other extensions. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { OwnerOptions } from '../../../src/app/owner/ownerOptions.ts';
import type { StepInput, TaskRow, TaskStatus } from '../../../src/shared/task/tasks.ts';
import type { StepActions } from '../../../src/shared/task/taskWork.ts';
import type { Fault } from '../../support/crash/faultyWorker.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { json, scriptedServer } from '../../support/provider/scriptedServer.ts';
import { smallScenario } from '../../support/provider/simulatedRequests.ts';
import { EngineWorld, type WorldOptions } from '../../support/world/engineWorld.ts';

type Steps = StepInput[];

async function start(world: EngineWorld, steps: Steps): Promise<string> {
  const definition = { name: 'Research', completionBehavior: 'SILENT' as const, steps };
  const { taskId, problems } = await world.owner.request('createTask', { definition, start: true });
  expect(problems).toEqual([]);
  return taskId;
}

const taskOf = ({ state }: EngineWorld, id: string): TaskRow | undefined => state.tasks.get(id);

async function ends(world: EngineWorld, id: string, status: TaskStatus = 'COMPLETED'): Promise<TaskRow> {
  const isEnd = (task: TaskRow | undefined) => task?.status === status || task?.ended_at != null;
  const task = await world.until(`the task is ${status}`, () => {
    const row = taskOf(world, id);
    return isEnd(row) ? row : undefined;
  });
  expect([task.status, task.reason]).toEqual([status, status === 'COMPLETED' ? null : task.reason]);
  return task;
}

const results = (world: EngineWorld, id: string) =>
  (taskOf(world, id)?.steps ?? []).map((step) => world.state.task_steps.get(step)?.result);

const SCRIPT = smallScenario({
  tasks: { replies: [{ when: 'list', text: 'a, b' }, { text: 'More of it: {{prompt}}' }] },
});
const GENERATE: Steps = [
  { name: 'List', action: 'llm_generate', params: { prompt: 'List them.' } },
  { name: 'Details', action: 'llm_generate', params: { prompt: 'For each: {{step_1_result}}' } },
];

/** `fail` plans how the next threads of the default project end. */
async function faulty(options: WorldOptions = {}) {
  const { worker, fewPrograms, compiled, program } = await testPrograms(inject('tempRoot'));
  const faults = join(inject('tempRoot'), `faults-${crypto.randomUUID()}`);
  mkdirSync(faults);
  const owner: Partial<OwnerOptions> = {
    workerScript: program('faultyWorker'),
    env: { PATH: fewPrograms, FAULTS: faults, WORKER: worker.href, NODE_COMPILE_CACHE: compiled },
    threadMb: 96,
  };
  const world = await EngineWorld.open({ ...options, owner: { ...owner, ...options.owner } });
  return { world, fail: (...planned: Fault[]) => writeFileSync(join(faults, 'default'), planned.join('\n')) };
}

/** Nothing answers. */
const SILENT = { kind: 'stall', afterEvents: 1 } as const;

test('a thread that dies under a step costs no try: the step goes on in the next one', async () => {
  let answers = (): boolean => false;
  const { world, fail } = await faulty({ scenario: SCRIPT, faults: () => (answers() ? null : SILENT) });
  const outcomes = () => world.happened('task_stepped').flatMap((event) => event.ended.map(({ outcome }) => outcome));
  answers = () => outcomes().includes('interrupted');
  await using _ = world;
  fail('throws');
  const id = await start(world, GENERATE);
  await ends(world, id);
  expect(results(world, id)).toEqual(['a, b', 'More of it: For each: a, b']);
  expect(outcomes()).toEqual(['interrupted', 'completed', 'completed']);
  const sessions = [...world.state.sessions.values()].filter((row) => row.task_id === id);
  expect(sessions.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('a step whose thread dies five times in a row has failed; its project goes on', async () => {
  const { world, fail } = await faulty({ scenario: SCRIPT, faults: () => SILENT });
  await using _ = world;
  fail('exits', 'exits', 'exits', 'exits', 'exits');
  const task = await ends(world, await start(world, GENERATE.slice(0, 1)), 'FAILED');
  expect(world.state.task_steps.get(task.steps[0] ?? 0)).toMatchObject({ status: 'FAILED', crashes: 0 });
  expect(world.state.projects.get('default')?.parked).toBeNull();
});

test('a command runs in the task’s own clone once it is approved, and the clone goes with the task', async () => {
  await using world = await EngineWorld.open({ files: { 'a.txt': 'committed\n' } });
  const id = await start(world, [
    { name: 'Read', action: 'command', params: { command: 'cat a.txt' } },
    { name: 'Say', action: 'aggregate', params: { keys: ['Read'] } },
  ]);
  const asked = await world.until('the steward is asked', () =>
    [...world.state.approvals.values()].find((row) => row.task_id === id && row.status === 'pending'),
  );
  expect(asked).toMatchObject({ kind: 'command', job_id: null, detail: 'cat a.txt' });
  await world.owner.request('decide', { approvalId: asked.id, decision: 'approved' });
  const { clone_dir } = await ends(world, id);
  expect(results(world, id)).toEqual(['committed', 'committed']);
  expect(clone_dir).toContain(id);
  await expect.poll(() => existsSync(clone_dir ?? '')).toBe(false);
});

test('a fetch reaches what the user listed, and nothing where nothing is listed', async () => {
  await using site = await scriptedServer(json(200, { title: 'Hello' }));
  const allowed: string[] = [];
  await using world = await EngineWorld.open({ owner: { allowedHosts: () => allowed } });
  const steps: Steps = [{ name: 'Page', action: 'http_get', params: { url: `${site.baseUrl}/p`, as: 'json' } }];
  const refused = await ends(world, await start(world, steps), 'FAILED');
  expect(refused.reason).toContain('is not among the hosts in');
  expect(site.seen).toEqual([]);
  allowed.push(new URL(site.baseUrl).host);
  const id = await start(world, steps);
  await ends(world, id);
  expect(results(world, id)).toEqual([{ title: 'Hello' }]);
});

test('an action of another extension is waited for, and is carried out when it is there', async () => {
  const names: string[] = [];
  const heard = new Set<() => void>();
  const stepActions: StepActions = {
    names: () => names,
    run: async (action, params) => (params['as'] === 'json' ? { action, params } : () => action),
    changed: (listener) => {
      heard.add(listener);
      return () => heard.delete(listener);
    },
  };
  await using world = await EngineWorld.open({ owner: { stepActions } });
  const id = await start(world, [{ name: 'Ask', action: 'acme.tools/ask', params: { as: 'json' } }]);
  const paused = await world.until('it waits', () => {
    const task = taskOf(world, id);
    return task?.status === 'PAUSED' ? task : undefined;
  });
  expect(paused.reason).toBe('no extension has registered the action acme.tools/ask');
  names.push('acme.tools/ask');
  for (const listener of heard) listener();
  await ends(world, id);
  expect(results(world, id)).toEqual([{ action: 'acme.tools/ask', params: { as: 'json' } }]);
  const other = await start(world, [{ name: 'Ask', action: 'acme.tools/ask' }]);
  expect((await ends(world, other, 'FAILED')).reason).toContain('returned a result that is not JSON');
});
