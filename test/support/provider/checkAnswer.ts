/** Answers the exchange by which Autonomous checks a model, beside a scenario that knows nothing of it. */
import type { Answer, SimulatedModel } from '../../../src/adapters/simulated/model.ts';
import { makeReply } from '../../../src/adapters/simulated/reply.ts';
import { readRequest } from '../../../src/adapters/simulated/request.ts';

export type Answering = Pick<SimulatedModel, 'answer'>;

/** `able`: whether the model calls the tool. */
export function withChecks(model: Answering, able = true): Answering {
  return { answer: (path, body) => checkAnswer(path, body, able) ?? model.answer(path, body) };
}

function checkAnswer(path: string, body: string, able: boolean): Answer | null {
  const read = readRequest(body);
  if (!read.ok || path.includes('count_tokens')) return null;
  const { request } = read;
  if (request.tools.length !== 1 || request.tools[0]?.name !== 'confirm') return null;
  const [, word = ''] = /The code word is ([\w-]+)/.exec(JSON.stringify(request.messages)) ?? [];
  const call = { tool: 'confirm', input: { word } };
  const turn = able ? { text: '', calls: [call] } : { text: 'I cannot call tools.', calls: [] };
  const usage = { input: 50, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  return {
    kind: 'reply',
    reply: makeReply(request, turn as Parameters<typeof makeReply>[1], usage),
    stream: request.stream,
  };
}
