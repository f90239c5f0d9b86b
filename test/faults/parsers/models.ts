/** What models, providers and other agents send: answers, streams, requests of two protocols, lines of two more. */

import { updateOf } from '../../../src/adapters/acp/updates.ts';
import { openWire } from '../../../src/adapters/acp/wire.ts';
import { readAnswer } from '../../../src/adapters/agentCommand/answer.ts';
import { AnswerReader, BrokenAnswer, billOfMessage } from '../../../src/adapters/gateway/send/answer.ts';
import { judgeHttpError } from '../../../src/adapters/gateway/send/refusals.ts';
import { passRequest } from '../../../src/adapters/gateway/send/request.ts';
import { SseSplitter } from '../../../src/adapters/gateway/send/sse.ts';
import { readRequest } from '../../../src/adapters/simulated/request.ts';
import { planFaults } from '../../../src/core/job/plan/planCheck.ts';
import { retryAfterMs } from '../../../src/core/model/backoff.ts';
import { ChatAnswer } from '../../../src/core/model/chat/chatAnswer.ts';
import { toMessagesRequest } from '../../../src/core/model/chat/chatRequest.ts';
import { foreignRequest } from '../../../src/core/model/foreignRequest.ts';
import { readPart } from '../../../src/core/model/lm/lmAnswer.ts';
import { toLmRequest } from '../../../src/core/model/lm/lmTranslate.ts';
import { isFields, parseJson } from '../../../src/core/text/json.ts';
import { judgeAnswer } from '../../../src/engine/session/answers.ts';
import { planSchema } from '../../../src/shared/job/plan.ts';
import type { Role } from '../../../src/shared/session.ts';
import { textEvents } from '../../support/provider/scriptedServer.ts';
import { planOf } from '../../support/state/builders.ts';
import type { Parser } from './judge.ts';

const NOW = Date.UTC(2026, 10, 2, 12);
const json = (value: unknown): string => JSON.stringify(value);
const STREAM = textEvents('hello').join('');
const MESSAGE = json({
  type: 'message',
  id: 'm',
  model: 'claude',
  role: 'assistant',
  content: [
    { type: 'text', text: 'a' },
    { type: 'tool_use', id: 't', name: 'x', input: {} },
  ],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 2, cache_creation: { ephemeral_5m_input_tokens: 1 } },
});
const MESSAGES = json({
  model: 'claude-sonnet-5-5',
  max_tokens: 100,
  stream: true,
  system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 't', input_schema: { type: 'object' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        {
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aa' } }],
        },
      ],
    },
    { role: 'assistant', content: 'b' },
  ],
});
const CHAT = json({
  model: 'm',
  messages: [
    { role: 'system', content: 's' },
    { role: 'user', content: [{ type: 'text', text: 'a' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
  stop: ['x'],
  temperature: 2,
  stream: true,
});
const WORDS = [
  '"cache_control":{"type":"ephemeral"},',
  '"type":"document",',
  '"type":"web_search_20250305",',
  '"content":[],',
  '"a":1,"a":2,',
  '"tool_use_id":"t",',
  '"thinking":{"type":"enabled","budget_tokens":1},',
  '"n":2,',
];

function answer(role: Role, name: string): (text: string) => unknown {
  return (text) => judgeAnswer(role, [{ type: 'tool_use', id: 'a', name, input: parseJson(text) }], [], null);
}

/** Throws BrokenAnswer for what is none: that is its typed failure. */
function broken(read: () => unknown): unknown {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof BrokenAnswer) return thrown.reason;
    throw thrown;
  }
}

/** In pieces of a size that the text itself gives, so that the same text is cut the same. */
function* inPieces(text: string): Generator<string> {
  const size = 1 + ((text.length * 7919) % 97);
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

function streamed(text: string): unknown {
  const [splitter, reader] = [new SseSplitter(), new AnswerReader()];
  return broken(() => {
    for (const piece of inPieces(text)) {
      for (const { data } of splitter.push(Buffer.from(piece))) if (reader.take(data)) return reader.bill();
    }
    return reader.bill();
  });
}

function chatAnswer(text: string): unknown {
  const chat = new ChatAnswer({ created: 1, includeUsage: true });
  return [...[...inPieces(text)].map((piece) => chat.push(piece)), chat.end()].join('').length;
}

async function acpLines(text: string): Promise<unknown> {
  const told: unknown[] = [];
  const failed = (): Error => Object.assign(new Error('too much, or no protocol'), { code: 'AGENT_UNUSABLE' });
  const bytes = new Blob([text]).stream() as ReadableStream<Uint8Array>;
  const wire = openWire(
    { input: new WritableStream(), output: bytes },
    {
      sign: () => undefined,
      told: (params) => void told.push(isFields(params['update']) ? updateOf(params['update']) : null),
      tooMuch: failed,
      strange: failed,
    },
  );
  for await (const message of wire.readable) told.push(message);
  return told;
}

function commandLines(output: 'jsonl' | 'json' | 'text'): (text: string) => unknown {
  return (text) => {
    const heard: unknown[] = [];
    const reader = readAnswer({ output, field: 'result.text' }, (update) => heard.push(update));
    for (const piece of inPieces(text)) if (!reader.take(piece)) return 'too much';
    return [heard, reader.known(), reader.answer()];
  };
}

const LINES = [
  json({
    type: 'assistant',
    message: {
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }),
  json({ type: 'result', result: { text: 'done' }, total_cost_usd: 0.1, usage: { input_tokens: 3, output_tokens: 4 } }),
  json({ type: 'item.completed', item: { type: 'command_execution', command: 'ls', exit_code: 0 } }),
].join('\n');

const ACP = [
  json({ jsonrpc: '2.0', id: 1, method: 'session/request_permission', params: {} }),
  json({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'a',
        kind: 'edit',
        title: 't',
        rawInput: { a: 1 },
        content: [{ type: 'diff', path: 'a', newText: 'b' }],
      },
    },
  }),
  json({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a' } } },
  }),
  '',
].join('\n');

export const MODELS: readonly Parser[] = [
  {
    name: 'plan JSON',
    corpus: [json(planOf({ Core: ['A', 'B < A'], More: ['C < B'] })), '{"title":"t","phases":[]}'],
    words: ['"depends_on":["A"],', '"phases":', '"id":1,', '"name":"A",'],
    read: (text) => {
      const plan = planSchema.safeParse(parseJson(text));
      return plan.success
        ? [planFaults(plan.data), answer('planner', 'submit_plan')(text)]
        : answer('planner', 'submit_plan')(text);
    },
  },
  {
    name: 'verdict JSON',
    corpus: [
      '{"verdict":"APPROVED","reason":"r","feedback":"","reopen":[]}',
      '{"verdict":"REJECTED","reason":"r","feedback":"f","reopen":["A"]}',
    ],
    words: ['APPROVED', 'REJECTED', 'ESCALATE', '"verdict":"APPROVED",'],
    read: answer('reviewer', 'submit_verdict'),
  },
  {
    name: 'report JSON',
    corpus: ['{"outcome":"done","summary":"s","question":""}', '{"outcome":"blocked","summary":"s","question":"q"}'],
    read: answer('worker', 'report'),
  },
  {
    name: 'stream of a provider',
    corpus: [STREAM, STREAM.replaceAll('\n', '\r\n')],
    words: [
      'data: {}\n\n',
      'event: ping\n',
      '"usage":{"output_tokens":-1},',
      '"type":"message_stop"',
      ':\n\n',
      '\r\n\r\n',
    ],
    read: streamed,
  },
  {
    name: 'message of a provider',
    corpus: [MESSAGE],
    words: ['"usage":{},', '"type":"message",'],
    read: (text) => broken(() => billOfMessage(text)),
  },
  {
    name: 'stream as chat',
    corpus: [STREAM],
    words: ['data: ', '"index":1,', '"partial_json":"{"', '"type":"tool_use"'],
    read: chatAnswer,
  },
  {
    name: 'refusal of a provider',
    corpus: [
      '{"error":{"type":"overloaded_error","message":"Overloaded"}}',
      'your credit balance is too low',
      '<html>',
    ],
    words: ['usage limit ', 'reached your ', 'reached', 'exceeded', 'spend limit'],
    read: (text) => [400, 402, 429, 500].map((status) => judgeHttpError(status, text)),
  },
  {
    name: 'times of a provider',
    corpus: ['3', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '99999999999999999999', '-1'],
    read: (text) => {
      const ms = ['retry-after', 'retry-after-ms'].map((name) => retryAfterMs({ [name]: text }, NOW));
      return ms.map((wait) => (wait === null ? null : new Date(NOW + wait).toISOString()));
    },
  },
  {
    name: 'Messages request',
    corpus: [MESSAGES],
    words: WORDS,
    read: (text) => passRequest({ path: '/v1/messages', method: 'POST', headers: {}, body: text, sessionId: 1 }),
  },
  {
    name: 'Messages request of another agent',
    corpus: [MESSAGES],
    words: WORDS,
    read: (text) =>
      foreignRequest(text, {
        model: 'claude-sonnet-5-5',
        maxTokens: 1000,
        hasPrice: (model) => model.startsWith('claude'),
      }),
  },
  { name: 'Messages request for a language model', corpus: [MESSAGES], words: WORDS, read: toLmRequest },
  { name: 'request to the simulated model', corpus: [MESSAGES], words: WORDS, read: readRequest },
  { name: 'chat request', corpus: [CHAT], words: WORDS, read: (text) => toMessagesRequest(text, 1000) },
  {
    name: 'part of a language model',
    corpus: ['{"value":"a"}', '{"callId":"a","name":"b","input":{}}'],
    read: (text) => readPart(parseJson(text)),
  },
  {
    name: 'lines of the agent client protocol',
    isDear: true,
    corpus: [ACP],
    words: ['"jsonrpc":"2.0",', '"id":1,', '\n', '"method":"$/cancel_request",'],
    read: acpLines,
  },
  {
    name: 'stream-json of an agent',
    corpus: [LINES],
    words: ['\n', '"result":', '"text":"a"'],
    read: commandLines('jsonl'),
  },
  { name: 'JSON of an agent', corpus: [LINES.split('\n')[1] ?? ''], read: commandLines('json') },
];
