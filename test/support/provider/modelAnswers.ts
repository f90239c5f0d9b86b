/** What the model of a fault case answers: one round of work, then the answer of its role, each bearing its number. */

import { randomOf } from '../suite/proof.ts';
import { microUsdOf } from './prices.ts';

export const FAULT_ROLES = ['planner', 'worker', 'reviewer', 'summarizer'] as const;
export type FaultRole = (typeof FAULT_ROLES)[number];

/** `work` calls a tool that leaves a trace, `answer` ends the session. */
export type Stage = 'work' | 'answer';

export const MODELS: Readonly<Record<FaultRole, string>> = {
  planner: 'claude-opus-5-5',
  worker: 'claude-sonnet-5-5',
  reviewer: 'claude-opus-5-5',
  summarizer: 'claude-haiku-5-5',
};

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

export interface ModelAnswer {
  readonly blocks: readonly Block[];
  readonly stopReason: string | null;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** As reported under way, each the sum so far; the last is what is billed. */
  readonly outputs: readonly number[];
}

/** `request` is its number: tools and answers name it. */
export function modelAnswer(role: FaultRole, stage: Stage, request: number, seed: number): ModelAnswer {
  const random = randomOf(seed * 1_000 + request);
  return {
    blocks: [{ type: 'text', text: 'Thinking aloud.' }, ending(role, stage, request)],
    stopReason: role === 'summarizer' ? 'end_turn' : 'tool_use',
    input: 1 + random(900),
    cacheRead: random(700),
    cacheWrite: random(500),
    outputs: [2 + random(1_800)],
  };
}

function ending(role: FaultRole, stage: Stage, request: number): Block {
  const named = `answer ${request}`;
  if (role === 'summarizer') return { type: 'text', text: named };
  const id = `toolu_${request}`;
  if (stage === 'work') {
    return role === 'worker'
      ? { type: 'tool_use', id, name: 'bash', input: { command: `step ${request}` } }
      : { type: 'tool_use', id, name: 'read', input: { file_path: 'README.md' } };
  }
  if (role === 'worker') return { type: 'tool_use', id, name: 'report', input: { outcome: 'done', summary: named } };
  if (role === 'reviewer')
    return { type: 'tool_use', id, name: 'submit_verdict', input: { verdict: 'APPROVED', reason: named } };
  const feature = { name: 'One', description: 'One', category: 'core' };
  const phase = { title: 'Core', objective: 'It', acceptance_criteria: ['it works'], features: [feature] };
  return { type: 'tool_use', id, name: 'submit_plan', input: { title: named, phases: [phase] } };
}

/** What the provider bills for it, by prices that are not the gateway's. */
export function billOf(model: string, { input, cacheRead, cacheWrite, outputs }: ModelAnswer): number {
  const output = outputs.at(-1) ?? 0;
  return microUsdOf(model, { input, output, cacheRead, cacheWrite5m: cacheWrite, cacheWrite1h: 0 });
}

/** The stream, event by event. An answer as it is made has eleven. */
export function eventsOf(model: string, answer: ModelAnswer, request: number): string[] {
  const { blocks, stopReason, input, cacheRead, cacheWrite, outputs } = answer;
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: 1,
  };
  const head = { id: `msg_${request}`, type: 'message', role: 'assistant', model, content: [] };
  return [
    event('message_start', { message: { ...head, stop_reason: null, stop_sequence: null, usage } }),
    event('ping', {}),
    ...blocks.flatMap(blockEvents),
    ...outputs.map((output_tokens) =>
      event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens } }),
    ),
    event('message_stop', {}),
  ];
}

function blockEvents(block: Block, index: number): string[] {
  const isText = block.type === 'text';
  const whole = isText ? block.text : JSON.stringify(block.input);
  const half = Math.ceil(whole.length / 2);
  const parts = index === 0 ? [whole] : [whole.slice(0, half), whole.slice(half)];
  return [
    event('content_block_start', { index, content_block: isText ? { ...block, text: '' } : { ...block, input: {} } }),
    ...parts.map((part) => {
      const delta = isText ? { type: 'text_delta', text: part } : { type: 'input_json_delta', partial_json: part };
      return event('content_block_delta', { index, delta });
    }),
    event('content_block_stop', { index }),
  ];
}

export function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
