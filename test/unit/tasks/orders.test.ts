/** What a step says is what is ordered, and what comes back is held to what it promises. */
import { afterEach, expect, test } from 'vitest';
import type { StepInput } from '../../../src/shared/tasks.ts';
import { gave, TaskWorld } from '../../support/taskWorld.ts';

const worlds: TaskWorld[] = [];

async function open(...given: Parameters<typeof TaskWorld.open>): Promise<TaskWorld> {
  const world = await TaskWorld.open(...given);
  worlds.push(world);
  return world;
}

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const at = (name: string, action: string, params: StepInput['params'], more: Partial<StepInput> = {}): StepInput => ({
  name,
  action,
  params,
  needs: [],
  ...more,
});

test('all that a step says stands in its order', async () => {
  const world = await open();
  const said = { prompt: 'x', systemPrompt: 'Be short.', maxTokens: 77, temperature: 0.3 };
  const asked = { url: 'https://example.org/', headers: { accept: 'a/b' }, as: 'json', maxBytes: 9, timeoutSeconds: 4 };
  await world.begin(
    [
      at('Say', 'llm_generate', said),
      at('Get', 'http_get', asked),
      at('Run', 'command', { command: 'npm ci', timeoutSeconds: 5, network: 'registries' }),
      at('Do', 'acme.tools/do', { any: [1, { thing: null }] }),
    ],
    { model: 'claude-opus-5-5' },
  );
  await world.flight(3);
  expect(world.flights.map(({ order }) => order)).toMatchObject([
    { kind: 'generate', role: 'task', model: 'claude-opus-5-5', system: 'Be short.', maxTokens: 77, temperature: 0.3 },
    { kind: 'http_get', headers: { accept: 'a/b' }, as: 'json', maxBytes: 9, timeoutMs: 4_000 },
    { kind: 'command', command: 'npm ci', timeoutMs: 5_000, network: 'registries', cloneDir: null },
    { kind: 'custom', action: 'acme.tools/do', params: { any: [1, { thing: null }] } },
  ]);
  const plain = [at('Say', 'llm_generate', { prompt: 'x' }), at('Run', 'command', { command: 'ls' })];
  await world.begin(plain);
  await world.flight(5);
  expect(world.flights.slice(4).map(({ order }) => order)).toMatchObject([
    { model: 'claude-sonnet-5-5', system: null, maxTokens: 8_192, temperature: null },
    { timeoutMs: 600_000, network: 'none' },
  ]);
});

test('an answer that is not of the form that its step promises is a failed try; one that is counts as its JSON', async () => {
  const answers = ['many', '{"count":"3"}', '```json\n{"count":3}\n```'];
  const world = await open(() => gave(answers.shift() ?? ''));
  const output = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
  const count = at('Count', 'llm_generate', { prompt: 'x' }, { output, onError: 'retry', backoffSeconds: 0 });
  const enough = at('Enough', 'conditional', { condition: '{{Count.count}} > 2' });
  const id = await world.begin([count, enough]);
  await world.over(id);
  expect(world.results(id)).toEqual([{ count: 3 }, true]);
  expect(world.steps(id)[0]).toMatchObject({ tries: 2 });
  const said = [...world.store.state.task_logs.values()].filter(({ level }) => level === 'warning');
  expect(said.map(({ text }) => text)).toEqual([
    expect.stringContaining('it is text and no JSON'),
    expect.stringContaining('does not meet its schema at count'),
  ]);

  answers.push('many');
  const strict = await world.begin([at('Count', 'llm_generate', { prompt: 'x' }, { output })]);
  await world.over(strict, 'FAILED');
  expect(world.task(strict).reason).toContain('Count: the result does not meet its schema');
});
