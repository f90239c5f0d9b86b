/** The running server against its own document: every endpoint, with every status that the document says it may answer. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { ERROR_STATUSES } from '../../../src/adapters/http/errors.ts';
import { openApiDocument } from '../../../src/adapters/http/openapi.ts';
import { addProject } from '../../support/state/memoryStore.ts';
import { type Answered, type ApiWorld, type Asked, apiWorld, TASKS } from '../../support/world/apiWorld.ts';

interface Described {
  readonly operationId: string;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content: Record<string, { readonly schema: object }> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

const document = openApiDocument('1.2.3') as unknown as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
ajv.addSchema({ $id: 'api', ...document });

const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const seen = new Set<string>();

/** The document's own words for an answer, by which it is judged. */
function judge(path: string, method: string, { status, json }: Answered): void {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const schema = operation?.responses[String(status)]?.content['application/json']?.schema;
  expect(schema, `${method} ${path} may answer ${status}: ${JSON.stringify(json)}`).toBeDefined();
  const pointer = `${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`;
  const reference = encodeURI(`api#/paths/${pointer}/content/application~1json/schema`);
  const check = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  expect(check(json), `${method} ${path} ${status}: ${JSON.stringify(check.errors)}`).toBe(true);
  seen.add(`${operation?.operationId} ${status}`);
}

async function ask(world: ApiWorld, method: string, path: string, taskId = '', asked: Asked = {}): Promise<Answered> {
  const answer = await world.ask(method, path.replace('{taskId}', taskId), asked);
  judge(path.split('?')[0] ?? path, method, answer);
  return answer;
}

const steps = [
  { name: 'Gather', action: 'llm_generate', params: { prompt: 'List them', deep: { list: [1, null, 'x'] } } },
  { name: 'Wait', action: 'wait', params: { minutes: 5 }, isCheckpoint: true },
];
const one = `${TASKS}/{taskId}`;
const post = (world: ApiWorld, act: string, taskId: string, body?: unknown): Promise<Answered> =>
  ask(world, 'POST', `${one}/${act}`, taskId, body === undefined ? {} : { body });

test('what succeeds, and what a task forbids as it stands, is as the document says', async () => {
  await using world = await apiWorld();
  const { json: made, status } = await ask(world, 'POST', TASKS, '', { body: { name: 'Market Research' } });
  expect([status, made.status, made.problems]).toEqual([201, 'PENDING', []]);
  const { json: added } = await post(world, 'steps', made.id, { steps });
  expect(added.steps.map((step: { name: string }) => step.name)).toEqual(['Gather', 'Wait']);
  expect((await post(world, 'pause', made.id)).status).toBe(409);
  expect((await post(world, 'start', made.id)).json.status).toBe('RUNNING');
  expect((await post(world, 'start', made.id, {})).status).toBe(409);
  expect((await post(world, 'resume', made.id, {})).status).toBe(409);
  expect((await ask(world, 'GET', `${one}/progress`, made.id)).json).toMatchObject({ percent: 0, stepsTotal: 2 });
  expect((await post(world, 'pause', made.id, { reason: 'lunch' })).json).toMatchObject({ reason: 'lunch' });
  expect((await post(world, 'resume', made.id, { budgetUsd: 2.5 })).json.status).toBe('RUNNING');
  expect((await ask(world, 'GET', one, made.id)).json).toMatchObject({ budgetUsd: 2.5 });
  expect((await ask(world, 'GET', `${one}/report`, made.id)).json.report).toContain('Market Research');
  const { json: active } = await ask(world, 'GET', `${TASKS}/active`);
  expect(active.tasks.map((task: { id: string }) => task.id)).toEqual([made.id]);
  expect((await post(world, 'retry', made.id)).status).toBe(409);
  await world.store.commit({ type: 'task_failed', task_id: made.id, reason: 'no luck', message: null });
  expect((await post(world, 'retry', made.id)).json).toMatchObject({ status: 'RUNNING', percent: 0 });
  expect((await post(world, 'cancel', made.id)).json.status).toBe('CANCELLED');
  expect((await post(world, 'cancel', made.id)).status).toBe(409);
  expect((await post(world, 'steps', made.id, { steps })).status).toBe(409);
  expect((await ask(world, 'GET', TASKS)).json.tasks).toHaveLength(1);
  await addProject(world.store, 'done');
  await world.store.commit({
    type: 'project_completed',
    project_id: 'done',
    reason: '',
    by: 'steward',
  });
  expect((await ask(world, 'POST', TASKS, '', { body: { name: 'x', project: 'done' } })).status).toBe(409);
  expect((await ask(world, 'POST', TASKS, '', { body: { name: 'x', project: 'nobody' } })).status).toBe(404);
  expect((await ask(world, 'GET', '/healthz', '', { headers: { authorization: undefined } })).status).toBe(200);
  expect((await ask(world, 'GET', '/openapi.json')).json).toEqual(document);
  for (const { path, method, operation } of documented.filter((route) => '404' in route.operation.responses)) {
    const body = operation.operationId === 'addSteps' ? { body: { steps } } : {};
    if (path !== TASKS) expect((await ask(world, method.toUpperCase(), path, 'nobody', body)).status).toBe(404);
  }
  expect(world.faults).toEqual([]);
});

/** A request that would be right if it were not for one thing. */
const right = ({ operation }: (typeof documented)[number]): Asked => {
  if (operation.operationId === 'createTask') return { body: { name: 'x' } };
  if (operation.operationId === 'addSteps') return { body: { steps } };
  return {};
};

test('what is refused for who asks and for what is sent is as the document says', async () => {
  await using world = await apiWorld();
  for (const route of documented) {
    const method = route.method.toUpperCase();
    const asked = right(route);
    const refused = async (status: number, changed: Asked, query = ''): Promise<void> => {
      if (!(status in route.operation.responses)) return;
      const answer = await world.ask(method, `${route.path.replace('{taskId}', 't')}${query}`, {
        ...asked,
        ...changed,
      });
      expect([route.path, answer.status]).toEqual([route.path, status]);
      judge(route.path, method, answer);
    };
    await refused(401, { headers: { authorization: undefined } });
    await refused(403, { headers: { host: 'evil.example:80' } });
    await refused(400, {}, '?unknown=1');
    await refused(413, { headers: { 'content-length': '100000000' } });
    await refused(415, { headers: { 'content-type': 'text/plain' }, body: '{}' });
  }
});

test('what is refused for the server’s sake is as the document says', async () => {
  await using slow = await apiWorld({ limits: { requestsPerSecond: 0 } });
  await using gone = await apiWorld();
  await using broken = await apiWorld();
  gone.lose();
  broken.lose(new Error('a bug, with a path: /home/me'));
  for (const route of documented) {
    for (const [world, status] of [
      [slow, 429],
      [gone, 503],
      [broken, 500],
    ] as const) {
      if (!(status in route.operation.responses)) continue;
      const answer = await ask(world, route.method.toUpperCase(), route.path, 't', right(route));
      expect([route.path, answer.status]).toEqual([route.path, status]);
      expect(JSON.stringify(answer.json)).not.toContain('/home/me');
    }
  }
  expect(broken.faults).not.toEqual([]);
});

test('nothing that the document says is left out', () => {
  const all = documented.flatMap(({ operation }) =>
    Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`),
  );
  expect(all.filter((line) => !seen.has(line))).toEqual([]);
  expect(documented).toHaveLength(14);
  const codes = new Set(all.map((line) => Number(line.split(' ')[1])));
  expect(ERROR_STATUSES.filter((status) => !codes.has(status))).toEqual([405]);
});

test('a task that waits says for what, and is tried now by resume', async () => {
  await using world = await apiWorld();
  const { json: made } = await ask(world, 'POST', TASKS, '', { body: { name: 'Research', steps, start: true } });
  const [step_id] = world.store.state.tasks.get(made.id)?.steps ?? [];
  const start = { step_id: step_id ?? 0, wake_at: null, job_id: null, approval: null };
  const stepped = { type: 'task_stepped', task_id: made.id, ended: [], skipped: [], started: [start] } as const;
  await world.store.commit({ ...stepped, message: null });
  const reason = 'HTTP 429: rate_limit_error';
  const waits = { step_id: start.step_id, wake_at: '2100-01-01T00:00:00.000Z', reason } as const;
  await world.store.commit({ type: 'task_step_waiting', task_id: made.id, ...waits });
  const waiting = { code: 'provider', reason, until: waits.wake_at, who: 'provider', now: ['try_now'] };
  const { json: shown } = await ask(world, 'GET', one, made.id);
  expect(shown).toMatchObject({ status: 'RUNNING', waiting, steps: [{ waiting }, { waiting: null }] });
  expect((await ask(world, 'GET', `${one}/progress`, made.id)).json).toMatchObject({ waiting });
  expect((await post(world, 'resume', made.id, {})).status).toBe(200);
  expect(world.store.state.task_steps.get(start.step_id)).toMatchObject({ status: 'RUNNING', wake_at: null });
});
