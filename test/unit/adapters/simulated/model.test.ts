import { describe, expect, test } from 'vitest';
import { SimulatedModel } from '../../../../src/adapters/simulated/model.ts';
import { formatAssignment, HANDOVER_REQUEST } from '../../../../src/shared/workspace/assignment.ts';
import {
  replyOf,
  requestBody,
  smallScenario,
  type TestMessage,
  withResults,
} from '../../../support/provider/simulatedRequests.ts';

const done = (summary: string) => ({ tool: 'report', input: { outcome: 'done', summary, question: '' } });
const write = (file_path: string) => ({
  tool: 'write',
  input: { file_path, content: '{{feature}} {{attempt}}\n{{brief}}' },
});

const scenario = smallScenario({
  features: {
    F: {
      attempts: [
        { turns: [{ text: 'I write.', calls: [write('a.txt'), write('b.txt')] }, { calls: [done('first')] }] },
        { turns: [{ calls: [done('{{feature}} #{{featureId}}, attempt {{attempt}}')] }] },
      ],
    },
  },
  phases: {
    P: {
      reviews: [
        {
          turns: [{ calls: [{ tool: 'read', input: { file_path: 'a.txt' } }] }],
          verdict: { verdict: 'REJECTED', reason: 'r', feedback: 'again', reopen: ['F'] },
        },
        { verdict: { verdict: 'APPROVED', reason: 'fine' } },
      ],
      summaries: ['All is well.'],
    },
  },
});

const worker = (attempt: number, feature = 'F') =>
  formatAssignment({ role: 'worker', phase: 'P', feature, featureId: 5, attempt });
const ask = (text: string): TestMessage[] => [{ role: 'user', content: `${text}\nMore words.` }];
const inputOf = (reply: ReturnType<typeof replyOf>) => reply.content.at(-1)?.input;

describe('the turn that is asked for', () => {
  test('is the number of replies since the assignment', () => {
    const model = new SimulatedModel(scenario);
    const opening: TestMessage[] = [
      { role: 'user', content: `${worker(1)}\n\n# Brief\nA brief.\n\n# Phase 1: P\nIts words.` },
    ];
    const first = replyOf(model, opening);
    expect(first.content).toMatchObject([
      { type: 'text', text: 'I write.' },
      { type: 'tool_use', name: 'write', input: { file_path: 'a.txt', content: 'F 1\nA brief.' } },
      { type: 'tool_use', name: 'write', input: { file_path: 'b.txt' } },
    ]);
    expect(first.stop_reason).toBe('tool_use');
    const second = replyOf(model, withResults(opening, first));
    expect(inputOf(second)).toMatchObject({ outcome: 'done', summary: 'first' });
  });

  test('is the same after a handover, whose summary is no turn of the script', () => {
    const model = new SimulatedModel(scenario);
    const before = withResults(ask(worker(1)), replyOf(model, ask(worker(1))));
    const results = before.at(-1)?.content as object[];
    const request = { type: 'text', text: `${HANDOVER_REQUEST} Write a summary.` };
    const summary = replyOf(model, [...before.slice(0, -1), { role: 'user', content: [...results, request] }]);
    expect(summary).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] });
    const fresh = [`${worker(1)}\nMore words.`, `# The work so far\n${JSON.stringify(summary.content)}`];
    const next = replyOf(model, [{ role: 'user', content: fresh.map((text) => ({ type: 'text', text })) }]);
    expect(inputOf(next)).toMatchObject({ outcome: 'done', summary: 'first' });
  });

  test('belongs to the attempt; further attempts are like the last one written', () => {
    const model = new SimulatedModel(scenario);
    expect(inputOf(replyOf(model, ask(worker(2))))).toMatchObject({ summary: 'F #5, attempt 2' });
    expect(inputOf(replyOf(model, ask(worker(9))))).toMatchObject({ summary: 'F #5, attempt 9' });
  });

  test('starts afresh with the next assignment of the same conversation', () => {
    const model = new SimulatedModel(scenario);
    const before = withResults(ask(worker(2)), replyOf(model, ask(worker(2))));
    const results = before.at(-1)?.content as object[];
    const next: TestMessage[] = [
      ...before.slice(0, -1),
      { role: 'user', content: [...results, { type: 'text', text: `${worker(1)}\nNext.` }] },
    ];
    expect(replyOf(model, next).content).toMatchObject([{ text: 'I write.' }, {}, {}]);
  });

  test('is not changed by an assignment that a tool result or a later line quotes', () => {
    const model = new SimulatedModel(scenario);
    const first = replyOf(model, ask(worker(1)));
    const results = first.content
      .filter((block) => block.type === 'tool_use')
      .map((block) => ({ type: 'tool_result', tool_use_id: block.id, content: worker(2) }));
    const nudge = { type: 'text', text: `Engine: go on.\n${worker(2)}` };
    const messages: TestMessage[] = [
      ...ask(worker(1)),
      { role: 'assistant', content: first.content },
      { role: 'user', content: [...results, nudge] },
    ];
    expect(inputOf(replyOf(model, messages))).toMatchObject({ summary: 'first' });
  });

  test('planner, reviewer and summarizer have theirs', () => {
    const model = new SimulatedModel(scenario);
    const plan = replyOf(model, ask(formatAssignment({ role: 'planner', attempt: 1 })));
    expect(plan.content[0]).toMatchObject({ name: 'submit_plan', input: { title: 'T' } });
    const review = (attempt: number) => ask(formatAssignment({ role: 'reviewer', phase: 'P', feature: null, attempt }));
    const looking = replyOf(model, review(1));
    expect(looking.content[0]).toMatchObject({ name: 'read' });
    expect(inputOf(replyOf(model, withResults(review(1), looking)))).toMatchObject({
      verdict: 'REJECTED',
      reopen: ['F'],
    });
    expect(inputOf(replyOf(model, review(2)))).toMatchObject({ verdict: 'APPROVED', feedback: '' });
    const summary = replyOf(model, ask(formatAssignment({ role: 'summarizer', phase: 'P', attempt: 1 })));
    expect(summary).toMatchObject({ content: [{ type: 'text', text: 'All is well.' }], stop_reason: 'end_turn' });
  });
});

describe('what the scenario does not say', () => {
  test('is an error, never made up', () => {
    const model = new SimulatedModel(scenario);
    const over = withResults(ask(worker(2)), replyOf(model, ask(worker(2))));
    for (const messages of [over, ask(worker(1, 'Other')), ask(worker(1, 'constructor'))]) {
      const answer = model.answer('/v1/messages', requestBody(messages));
      expect(answer).toMatchObject({ kind: 'error', status: 400, exhausted: true });
    }
    expect(() => replyOf(model, over)).toThrow(
      'SCENARIO_EXHAUSTED: "Small" has 1 turns for the worker of feature "F", attempt 2; turn 2 was asked',
    );
  });

  test('without any assignment is plain text', () => {
    const reply = replyOf(new SimulatedModel(scenario), ask('Hello'));
    expect(reply).toMatchObject({
      content: [{ type: 'text', text: 'Simulated reply to: Hello More words.' }],
      stop_reason: 'end_turn',
    });
  });
});

describe('a reply', () => {
  test('is the same for the same request, in another process too', () => {
    const [one, other] = [new SimulatedModel(scenario), new SimulatedModel(scenario)];
    expect(replyOf(one, ask(worker(1)))).toEqual(replyOf(other, ask(worker(1))));
  });

  test('says that it is simulated, and names the model that was asked', () => {
    const reply = replyOf(new SimulatedModel(scenario), ask(worker(1)), { model: 'claude-opus-5-5' });
    expect(reply.model).toBe('claude-opus-5-5');
    expect(reply.id).toMatch(/^msg_simulated_/);
    const ids = reply.content.filter((block) => block.type === 'tool_use').map((block) => block.id);
    expect(ids).toEqual([expect.stringMatching(/^toolu_simulated_\w+_0$/), expect.stringMatching(/_1$/)]);
  });

  test('never exceeds max_tokens', () => {
    const reply = replyOf(new SimulatedModel(scenario), ask(worker(1)), { max_tokens: 5 });
    expect(reply).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 5 } });
    expect(reply.content).toMatchObject([{ text: 'I write.' }, { name: 'write', input: {} }]);
  });
});

describe('a request that the API would refuse', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' };
  const user = { role: 'user', content: 'Hi' } as const;
  const text = { type: 'text', text: 'Hi' };
  const marked = { ...text, cache_control: { type: 'ephemeral' } };

  test.each<[string, readonly TestMessage[], object, string]>([
    ['no messages', [], {}, 'messages'],
    ['starts with the assistant', [{ role: 'assistant', content: 'x' }], {}, 'first message must use the "user" role'],
    ['an empty text', [{ role: 'user', content: '' }], {}, 'text content blocks must be non-empty'],
    ['an empty message', [{ role: 'user', content: [] }], {}, 'content must not be empty'],
    [
      'a call without its result',
      [user, { role: 'assistant', content: [call] }, user],
      {},
      'without tool_result blocks immediately after: toolu_1',
    ],
    ['a call at the end', [user, { role: 'assistant', content: [call] }], {}, 'without tool_result blocks'],
    [
      'a result behind text',
      [user, { role: 'assistant', content: [call] }, { role: 'user', content: [text, result] }],
      {},
      'without tool_result blocks',
    ],
    ['a result of nothing', [{ role: 'user', content: [result] }], {}, 'unexpected tool_use_id'],
    [
      'five cache marks',
      [{ role: 'user', content: [marked, marked, marked, marked, marked] }],
      {},
      'A maximum of 4 blocks',
    ],
    ['two tools of one name', [user], { tools: [{ name: 'a' }, { name: 'a' }] }, 'Tool names must be unique'],
    ['no max_tokens', [user], { max_tokens: undefined }, 'max_tokens: Field required'],
    ['no model', [user], { model: '' }, 'model'],
  ])('%s', (_, messages, more, message) => {
    const answer = new SimulatedModel(scenario).answer('/v1/messages?beta=true', requestBody(messages, more));
    expect(answer).toMatchObject({ kind: 'error', status: 400, exhausted: false });
    expect(answer).toHaveProperty('message', expect.stringContaining(message));
  });

  test('no JSON, and another path', () => {
    const model = new SimulatedModel(scenario);
    expect(model.answer('/v1/messages', '{')).toMatchObject({ status: 400 });
    expect(model.answer('/v1/complete', '{}')).toMatchObject({ status: 404, type: 'not_found_error' });
  });
});
