/** Requests of the Messages API, built turn by turn, and a small scenario to answer them. */
import type { SimulatedModel } from '../../../src/adapters/simulated/model.ts';
import { jsonBody } from '../../../src/adapters/simulated/provider.ts';
import { checkScenario, type Scenario, type ScenarioInput } from '../../../src/adapters/simulated/scenario.ts';

export interface TestMessage {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
}

interface ToolUse {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface TestReply {
  readonly id: string;
  readonly model: string;
  readonly content: readonly ToolUse[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, number>>;
}

const SMALL: ScenarioInput = {
  version: 1,
  title: 'Small',
  plan: {
    title: 'T',
    phases: [
      {
        title: 'P',
        objective: 'O',
        acceptance_criteria: ['works'],
        features: [{ name: 'F', description: 'D', category: 'c' }],
      },
    ],
  },
};

export function smallScenario(parts: Partial<ScenarioInput> = {}): Scenario {
  return checkScenario({ ...SMALL, ...parts }, 'small');
}

export function requestBody(messages: readonly TestMessage[], more: object = {}): string {
  return JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 4096, messages, ...more });
}

/** The reply as the API's JSON; throws when the model refuses. */
export function replyOf(model: SimulatedModel, messages: readonly TestMessage[], more: object = {}): TestReply {
  const answer = model.answer('/v1/messages', requestBody(messages, more));
  if (answer.kind !== 'reply') throw new Error(answer.kind === 'error' ? answer.message : 'no reply');
  return jsonBody(answer) as unknown as TestReply;
}

/** The conversation with the reply, and a result for each of its calls. */
export function withResults(messages: readonly TestMessage[], reply: TestReply): TestMessage[] {
  const results = reply.content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ type: 'tool_result', tool_use_id: block.id, content: 'ok' }));
  return [...messages, { role: 'assistant', content: reply.content }, { role: 'user', content: results }];
}
