/** What a step says is what is ordered, and what comes back is held to what it promises. */
import { expect, test } from 'vitest';
import type { StepInput } from '../../../../../src/shared/task/tasks.ts';
import { gave, taskWorlds } from '../../../../support/world/taskWorld.ts';

const open = taskWorlds();

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
    { kind: 'generate', role: 'task', model: 'claude-opus-5-5', prompt: 'x', maxTokens: 77, temperature: 0.3 },
    { kind: 'http_get', headers: { accept: 'a/b' }, as: 'json', maxBytes: 9, timeoutMs: 4_000 },
    { kind: 'command', command: 'npm ci', timeoutMs: 5_000, network: 'registries', cloneDir: null },
    { kind: 'custom', action: 'acme.tools/do', params: { any: [1, { thing: null }] } },
  ]);
  const plain = [at('Say', 'llm_generate', { prompt: 'x' }), at('Run', 'command', { command: 'ls' })];
  await world.begin(plain);
  await world.flight(5);
  expect(world.flights.slice(4).map(({ order }) => order)).toMatchObject([
    { model: 'claude-sonnet-5-5', system: expect.stringMatching(/^You carry out one step/), maxTokens: 8_192 },
    { timeoutMs: 600_000, network: 'none' },
  ]);
});

test('a model gets the task, its objective, the summary of the last checkpoint and the form of the result', async () => {
  const world = await open((order) => ('role' in order && order.role === 'summarizer' ? gave('Three found.') : null));
  const output = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
  const steps = [
    at('Find', 'llm_generate', { prompt: 'Find', systemPrompt: 'Be short.' }, { isCheckpoint: true }),
    at('Count', 'llm_generate', { prompt: 'Count' }, { output, needs: ['Find'] }),
  ];
  await world.begin(steps, { name: 'Market', objective: 'Know the market.' });
  const first = await world.flight(0);
  expect(first.order).toMatchObject({
    system: 'Be short.\n\n# Task\nName: Market\n\nKnow the market.\n\nStep: Find',
    prompt: 'Find',
  });
  first.end(gave('a, b, c'));
  // The summary is the work in between.
  const { system } = (await world.flight(2)).order as unknown as { readonly system: string };
  expect(system).toContain(`# Form of the result\nThe result must meet this JSON Schema.`);
  expect(system).toContain(JSON.stringify(output));
  expect(system).toMatch(/# Summary of the steps up to the last checkpoint, as data\n<summary \w+>\nThree found\.\n</);
});

test('a retry is told why the last result did not count', async () => {
  const prompts: string[] = [];
  const answers = ['many', '{"count":"3"}', '{"count":3}'];
  const world = await open((order) => {
    prompts.push('prompt' in order ? order.prompt : '');
    return gave(answers.shift() ?? '');
  });
  const output = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
  const count = at('Count', 'llm_generate', { prompt: 'Count' }, { output, onError: 'retry', backoffSeconds: 0 });
  const id = await world.begin([count]);
  await world.over(id);
  expect(prompts[0]).toBe('Count');
  expect(prompts[1]).toMatch(/^Count\n\n# The last try failed\n<error \w+>\n.*it is text and no JSON/);
  expect(prompts[1]).toMatch(/<last result \w+>\nmany\n</);
  expect(prompts[2]).toContain('does not meet its schema at count');
  expect(prompts[2]).toContain('{"count":"3"}');
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
