import { expect, test } from 'vitest';
import { SimulatedModel } from '../../../../src/adapters/simulated/model.ts';
import { loadScenario } from '../../../../src/app/assets/scenarios.ts';
import { sharedOpening } from '../../../../src/engine/session/prompts/shared.ts';
import { type WorkerOpening, workerNextFeature, workerOpening } from '../../../../src/engine/session/prompts/worker.ts';
import { replyOf, type TestMessage, withResults } from '../../../support/provider/simulatedRequests.ts';
import { jobFacts } from '../../../support/session/promptRows.ts';
import { jobRow } from '../../../support/state/builders.ts';

const BRIEF = 'Add a clock.\n\n# With a heading\n\n- and a list';

/** As much of the rows as a worker's opening reads. */
const opening = {
  todo: [],
  phase: { number: 1, title: 'Start', objective: 'Begin.', acceptance_criteria: ['Begun.'], verify_commands: ['ls'] },
  feature: { id: 11, name: 'A "quoted" name, é', description: 'D', category: 'c', testing_steps: [] },
  attempt: 1,
  returns: [],
  limits: [],
  earlier: [],
  notes: [],
  instructions: [],
  feedback: null,
  plan: [],
  decisions: { shown: [], leftOut: 0 },
  past: [],
  tree: { accepted: 'a'.repeat(40), from: null, changed: [], conflicts: [], stashes: 0 },
  diff: '',
} as unknown as WorkerOpening;

const shared = sharedOpening({
  job: jobRow({ brief: BRIEF }),
  facts: jobFacts({
    instructions: [{ path: 'AGENTS.md', text: '# Brief\nBe brief.' }],
    subjects: ['Start', '# Brief'],
  }),
  projectBody: 'About the project.',
});

test('the generic scenario answers the real worker prompt, brief and all, in a batch too', async () => {
  const model = new SimulatedModel(await loadScenario(null));
  const messages: TestMessage[] = [
    {
      role: 'user',
      content: [shared, workerOpening(opening)].map((text) => ({ type: 'text', text })),
    },
  ];
  const first = replyOf(model, messages);
  expect(first.content).toMatchObject([
    { type: 'text' },
    { name: 'write', input: { file_path: 'simulated-notes/11-a-quoted-name-e.md' } },
    { name: 'note' },
  ]);
  expect(first.content[1]?.input).toHaveProperty('content', expect.stringMatching(new RegExp(`\n${BRIEF}\n$`)));

  const reported = replyOf(model, withResults(messages, first));
  expect(reported.content).toMatchObject([{ name: 'report', input: { outcome: 'done' } }]);
  const next = workerNextFeature({ ...opening, installed: [], feature: { ...opening.feature, id: 12, name: 'Next' } });
  const before = withResults(withResults(messages, first), reported);
  const batch = replyOf(model, [...before, { role: 'user', content: next }]);
  expect(batch.content[1]?.input).toMatchObject({
    file_path: 'simulated-notes/12-next.md',
    content: expect.stringContaining(BRIEF),
  });
});
