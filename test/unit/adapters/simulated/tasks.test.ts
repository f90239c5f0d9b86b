import { expect, test } from 'vitest';
import { SimulatedModel } from '../../../../src/adapters/simulated/model.ts';
import { loadScenario } from '../../../../src/app/assets/scenarios.ts';
import { replyOf, smallScenario } from '../../../support/provider/simulatedRequests.ts';

type Text = { readonly text?: string };

function said(model: SimulatedModel, prompt: string, more: object = {}) {
  const reply = replyOf(model, [{ role: 'user', content: prompt }], more);
  const text = reply.content.map((block) => (block as unknown as Text).text ?? '').join('');
  return { text, stop: reply.stop_reason };
}

test('a step of a task is answered by the first reply that its prompt asks for, else by one for all, else in general', () => {
  const replies = [{ when: 'LIST', text: 'a, b' }, { text: 'as told: {{prompt}}' }];
  const model = new SimulatedModel(smallScenario({ tasks: { replies } }));
  expect(said(model, 'Make a list of two.').text).toBe('a, b');
  expect(said(model, 'Say more of a.').text).toBe('as told: Say more of a.');
  expect(said(new SimulatedModel(smallScenario()), 'Say\nmore').text).toBe('Simulated reply to: Say more');
});

test('what is longer than the step allows is cut off, and says so', () => {
  const model = new SimulatedModel(smallScenario({ tasks: { replies: [{ text: 'word '.repeat(100) }] } }));
  expect(said(model, 'x', { max_tokens: 10 }).stop).toBe('max_tokens');
});

test('the built-in research answers the usage example of the first system, and its summary, as a simulation', async () => {
  const model = new SimulatedModel(await loadScenario('tasks'));
  const list = said(model, 'List top 10 AI companies...').text;
  expect(list.match(/^\d+\. /gm)).toHaveLength(10);
  const details = said(model, `For each competitor: ${list}...`).text;
  expect(details).toContain('## Aldertree');
  const summary = said(model, `Task: Market Research\n\n${list}\n\n${details}\n\nSum up what the task achieved.`).text;
  expect(summary).toContain('Simulated');
  expect(summary).not.toContain('## ');
});
