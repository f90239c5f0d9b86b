/** The walk of docs/api.md, word for word, through a client of a real owner: its thread, its gateway, and the simulated model. */
import { readFileSync, statSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../../src/adapters/clock.ts';
import type { ApiServing } from '../../../src/adapters/http/serveApi.ts';
import { becomeClient } from '../../../src/app/open/client.ts';
import { apiToken, serveTasks } from '../../../src/app/serve/serve.ts';
import { TASK_STATUSES } from '../../../src/shared/task/tasks.ts';
import { WASM_FILE } from '../../support/process/testPrograms.ts';
import { TASKS } from '../../support/world/apiWorld.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const DOC = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

interface Step {
  readonly path: string;
  readonly body: Record<string, unknown> | null;
}

/** Each `ask "$API…"` of the shell block, with its body. */
function walk(): Step[] {
  const [, script = ''] = /```sh\n(.*?)```/s.exec(DOC) ?? [];
  return [...script.matchAll(/^ask "\$API([^"]*)"(?: -d '([^']*)')?/gm)].map(([, path = '', body]) => ({
    path,
    body: body === undefined ? null : JSON.parse(body),
  }));
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** As `autonomous serve` does it where another process owns the workspace. */
async function serve(world: EngineWorld): Promise<ApiServing> {
  const clock = systemClock();
  const client = await becomeClient({ places: world.places, clock, wasmFile: WASM_FILE });
  open.push(client);
  const faults: unknown[] = [];
  const reach = async () => client;
  const failed = (thrown: unknown): unknown => faults.push(thrown);
  const api = await serveTasks(world.places, {
    version: '1.2.3',
    clock,
    reach,
    failed,
    keeps: false,
    port: 0,
    origins: [],
  });
  open.push(api);
  return api;
}

test('a task is created, given steps, started, watched and reported, and heard to its end', async () => {
  await using world = await EngineWorld.open();
  const api = await serve(world);
  const { token, file } = await apiToken(world.places);
  expect(token).toMatch(/^[\w-]{43}$/);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await apiToken(world.places)).token).toBe(token);
  const authorization = `Bearer ${token}`;
  const socket = new WebSocket(`${api.events}?since=0`, { headers: { authorization } });
  const events: string[] = [];
  const ended = new Promise<void>((resolve) =>
    socket.on('message', (data: Buffer) => {
      const { event } = JSON.parse(data.toString()) as { readonly event: string };
      events.push(event);
      if (event === 'task:completed') resolve();
    }),
  );

  let taskId = '';
  const answers: Record<string, unknown>[] = [];
  for (const { path, body } of walk()) {
    // The walk's model is the workspace's own.
    const simulated = path === '' ? { provider: 'simulated', scenario: 'tasks' } : {};
    const answered = await fetch(`${api.url}${TASKS}${path.replace('$TASK', taskId)}`, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === null ? {} : { method: 'POST', body: JSON.stringify({ ...body, ...simulated }) }),
    });
    const json = (await answered.json()) as Record<string, unknown>;
    expect([path, answered.ok, json['error']]).toEqual([path, true, undefined]);
    if (path === '') taskId = String(json['id']);
    answers.push(json);
    if (path.endsWith('/start')) await ended;
  }
  const [created, added, started, progress, report] = answers;
  expect(created).toMatchObject({ status: 'PENDING', name: 'Market Research', problems: ['the task has no steps'] });
  expect(added).toMatchObject({ stepsTotal: 2, problems: [] });
  expect(TASK_STATUSES).toContain(started?.['status']);
  expect(started?.['status']).not.toBe('PENDING');
  expect(progress).toMatchObject({ status: 'COMPLETED', percent: 100, stepsDone: 2 });
  expect(Number(progress?.['costUsd'])).toBeGreaterThan(0);
  expect(report?.['report']).toContain('Aldertree');
  expect(events).toEqual([
    ...['task:started', 'task:step_completed', 'task:progress', 'task:checkpoint'],
    ...['task:step_completed', 'task:progress', 'task:completed'],
  ]);
  socket.close();
});

test('what a start would refuse is told when it is created, and refused with all of it', async () => {
  await using world = await EngineWorld.open();
  const api = await serve(world);
  const { token } = await apiToken(world.places);
  const ask = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answered = await fetch(`${api.url}${TASKS}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: only looked at
    return { status: answered.status, json: (await answered.json()) as any };
  };
  const steps = [
    { name: 'a', action: 'llm_generate', params: { prompt: '{{nobody}}' } },
    { name: 'b', action: 'wait', params: { minutes: -1 } },
  ];
  const { json } = await ask('', { name: 'Wrong', steps });
  expect(json.problems).toHaveLength(2);
  expect(await ask(`/${json.id}/start`, {})).toMatchObject({
    status: 400,
    json: { error: { code: 'INVALID_INPUT', problems: json.problems } },
  });
  expect((await ask('', { template: 'nobody' })).status).toBe(404);
  expect((await ask('', { template: 'research-report', parameters: {} })).status).toBe(400);
  expect((await ask('', { template: 'research-report', parameters: { topic: 'AI' } })).json).toMatchObject({
    template: 'research-report',
    problems: [],
  });
});
