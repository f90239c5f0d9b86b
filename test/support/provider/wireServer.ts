/**
 * A real HTTP server on the loopback address that speaks the chat, the responses or the Gemini protocol from a scenario, keeps its own bill, and
 * refuses a history without what it gave to come back. It is written from the protocols, and shares nothing with the code that speaks to it.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SimulatedModel } from '../../../src/adapters/simulated/model.ts';
import type { Reply } from '../../../src/adapters/simulated/reply.ts';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import type { Usage } from '../../../src/shared/money.ts';
import { withChecks } from './checkAnswer.ts';
import { PATIENT } from './patientServer.ts';

export type OtherWire = 'chat' | 'responses' | 'gemini';

type Json = Record<string, unknown>;

export interface WireRequest {
  readonly index: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** Instead of the scenario's answer: the lines of a stream, or an error. `end`: after them the connection is lost, or nothing more comes. */
export type Scripted =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }
  | { readonly events: readonly (object | string)[]; readonly end?: 'cut' | 'hang' };

export interface WireServer {
  /** With the path that the protocol begins with. */
  readonly baseUrl: string;
  readonly requests: readonly WireRequest[];
  /** The usage of each whole answer. */
  readonly bill: readonly Usage[];
  /** Histories that came without what they must contain. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

interface Options {
  readonly wire: OtherWire;
  readonly scenario: Scenario;
  readonly apiKey?: string;
  /** Whether the model calls the tool of a check; true. */
  readonly callsTools?: boolean;
  /** Answers of GET, by path. */
  readonly states?: Readonly<Record<string, object>>;
  /** By the index of the request; undefined: the scenario answers. */
  readonly scripted?: (request: WireRequest) => Scripted | undefined;
}

/** What a protocol is made of. */
interface Protocol {
  readonly prefix: string;
  key(headers: IncomingHttpHeaders): string | undefined;
  /** The request as one of the Messages API. */
  messages(path: string, body: Json): Json;
  /** Why a history cannot be continued; null if it can. */
  lacks(body: Json): string | null;
  /** The events of a stream. */
  events(reply: Reply, index: number): readonly object[];
  /** What ends a stream. */
  readonly end: string;
}

export async function startWireServer({
  wire,
  scenario,
  apiKey = 'test-key',
  callsTools = true,
  states = {},
  scripted,
}: Options): Promise<WireServer> {
  const protocol = PROTOCOLS[wire];
  const model = withChecks(new SimulatedModel(scenario), callsTools);
  const requests: WireRequest[] = [];
  const bill: Usage[] = [];
  const refused: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse((await bodyOf(request)) || '{}') as Json;
    const path = request.url ?? '';
    const seen = { index: requests.length, path, headers: request.headers, body };
    if (request.method !== 'POST') {
      const state = states[path];
      return void response.writeHead(state === undefined ? 404 : 200).end(JSON.stringify(state ?? {}));
    }
    requests.push(seen);
    const given = scripted?.(seen);
    if (given !== undefined) return sendScripted(response, given, protocol.end);
    if (protocol.key(request.headers) !== apiKey) return sendError(response, 401, 'invalid api key');
    const lacks = protocol.lacks(body);
    if (lacks !== null) {
      refused.push(lacks);
      return sendError(response, 400, lacks);
    }
    const answered = model.answer('/v1/messages', JSON.stringify(protocol.messages(path, body)));
    if (answered.kind !== 'reply') return sendError(response, 400, JSON.stringify(answered));
    bill.push(answered.reply.usage);
    sendEvents(response, protocol.events(answered.reply, seen.index));
    response.end(protocol.end);
  };
  const server = createServer(PATIENT, (request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${protocol.prefix}`,
    requests,
    bill,
    refused,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function sendEvents(response: ServerResponse, events: readonly (object | string)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of events) response.write(`data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`);
}

function sendScripted(response: ServerResponse, given: Scripted, end: string): void {
  if ('status' in given) {
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers }).end(given.body);
    return;
  }
  sendEvents(response, given.events);
  // What was written must leave before the connection breaks.
  if (given.end === 'cut') setImmediate(() => response.destroy());
  else if (given.end === undefined) response.end(end);
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Side {
  readonly role: string;
  readonly content: readonly object[];
}

/** Blocks of one side that follow each other are one message. */
function merged(messages: readonly Side[]): object[] {
  const all: { role: string; content: object[] }[] = [];
  for (const { role, content } of messages) {
    const last = all.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else all.push({ role, content: [...content] });
  }
  return all;
}

const useBlock = (id: unknown, name: unknown, input: unknown) => ({ type: 'tool_use', id, name, input });
const resultBlock = (id: unknown, content: unknown) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: text(content),
});
const prompt = ({ input, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number =>
  input + cacheRead + cacheWrite5m + cacheWrite1h;

const REASONED = 'Reasoned about it.';
const SIGNATURE = 'signature-of-a-thought';
const ENCRYPTED = 'encrypted-reasoning';

const CHAT: Protocol = {
  prefix: '/v1',
  end: 'data: [DONE]\n\n',
  key: ({ authorization }) => authorization?.replace('Bearer ', ''),
  messages: (_, body) => ({
    model: body['model'],
    max_tokens: body['max_tokens'] ?? body['max_completion_tokens'],
    stream: true,
    system: list(body['messages'])
      .filter(({ role }) => role === 'system')
      .map(({ content }) => ({ type: 'text', text: content })),
    tools: list(body['tools']).map((tool) => ({ name: (tool['function'] as Json)['name'] })),
    messages: merged(
      list(body['messages']).flatMap((message): Side[] => {
        const { role, content } = message;
        if (role === 'system') return [];
        if (role === 'tool') return [{ role: 'user', content: [resultBlock(message['tool_call_id'], content)] }];
        const blocks =
          typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : list(content);
        const calls = list(message['tool_calls']).map((call) => {
          const { name, arguments: args } = call['function'] as Json;
          return useBlock(call['id'], name, JSON.parse(text(args)));
        });
        return [{ role: text(role), content: [...blocks, ...calls] }];
      }),
    ),
  }),
  lacks: (body) => {
    const calling = list(body['messages']).filter((message) => list(message['tool_calls']).length > 0);
    return calling.every((message) => message['reasoning_content'] === REASONED)
      ? null
      : 'reasoning_content is missing';
  },
  events: ({ id, model, blocks, stopReason, usage }) => {
    const chunk = (delta: object, finish: string | null = null) => ({
      id,
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const calls = blocks.filter((block) => block.type === 'tool_use');
    // Parallel calls are interleaved, in pieces.
    const halves = [0, 1].flatMap((half) =>
      calls.map(({ id: callId, name, json }, index) => {
        const at = Math.floor(json.length / 2);
        const piece = half === 0 ? json.slice(0, at) : json.slice(at);
        const named =
          half === 0
            ? { id: callId, type: 'function', function: { name, arguments: piece } }
            : { function: { arguments: piece } };
        return chunk({ tool_calls: [{ index, ...named }] });
      }),
    );
    const finish = { max_tokens: 'length', tool_use: 'tool_calls', end_turn: 'stop' }[stopReason] ?? 'stop';
    return [
      chunk({ role: 'assistant', reasoning_content: REASONED }),
      ...blocks.flatMap((block) => (block.type === 'text' ? [chunk({ content: block.text })] : [])),
      ...halves,
      chunk({}, finish),
      {
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [],
        usage: {
          prompt_tokens: prompt(usage),
          completion_tokens: usage.output,
          total_tokens: prompt(usage) + usage.output,
          prompt_tokens_details: {
            cached_tokens: usage.cacheRead,
            cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
          },
        },
      },
    ];
  },
};

const RESPONSES: Protocol = {
  prefix: '/v1',
  end: '',
  key: CHAT.key,
  messages: (_, body) => ({
    model: body['model'],
    max_tokens: body['max_output_tokens'],
    stream: true,
    system: list(body['input'])
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ content }) => ({ type: 'text', text: content })),
    tools: list(body['tools']).map(({ name }) => ({ name })),
    messages: merged(
      list(body['input']).flatMap((item): Side[] => {
        const { type, role, content } = item;
        if (type === 'function_call')
          return [
            {
              role: 'assistant',
              content: [useBlock(item['call_id'], item['name'], JSON.parse(text(item['arguments'])))],
            },
          ];
        if (type === 'function_call_output')
          return [{ role: 'user', content: [resultBlock(item['call_id'], item['output'])] }];
        if (role !== 'user' && role !== 'assistant') return [];
        const blocks = list(content).map((part) => ({ type: 'text', text: part['text'] }));
        return [{ role: text(role), content: blocks }];
      }),
    ),
  }),
  lacks: (body) => {
    if (body['store'] !== false) return 'store must be false';
    const items = list(body['input']);
    const called = items.some(({ type }) => type === 'function_call');
    const came = items.some((item) => item['type'] === 'reasoning' && item['encrypted_content'] === ENCRYPTED);
    return called && !came ? 'the encrypted reasoning is missing' : null;
  },
  events: ({ id, model, blocks, stopReason, usage }) => {
    const response = { id, object: 'response', created_at: 1, model };
    const items = blocks.flatMap((block, at): object[] => {
      const output_index = at + 1;
      const item_id = `item_${id}_${at}`;
      if (block.type === 'text') {
        const item = { type: 'message', id: item_id, role: 'assistant', content: [] };
        return [
          { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
          {
            type: 'response.output_text.delta',
            item_id,
            output_index,
            content_index: 0,
            delta: block.text,
            logprobs: [],
          },
          { type: 'response.output_item.done', output_index, item: { ...item, status: 'completed' } },
        ];
      }
      const call = { type: 'function_call', id: item_id, call_id: block.id, name: block.name };
      return [
        { type: 'response.output_item.added', output_index, item: { ...call, arguments: '', status: 'in_progress' } },
        { type: 'response.function_call_arguments.delta', item_id, output_index, delta: block.json },
        {
          type: 'response.output_item.done',
          output_index,
          item: { ...call, arguments: block.json, status: 'completed' },
        },
      ];
    });
    const reasoning = { type: 'reasoning', id: `rs_${id}`, summary: [] };
    const cut = stopReason === 'max_tokens';
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, encrypted_content: null } },
      { type: 'response.output_item.done', output_index: 0, item: { ...reasoning, encrypted_content: ENCRYPTED } },
      ...items,
      {
        type: cut ? 'response.incomplete' : 'response.completed',
        response: {
          ...response,
          status: cut ? 'incomplete' : 'completed',
          incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
          usage: {
            input_tokens: prompt(usage),
            input_tokens_details: { cached_tokens: usage.cacheRead },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: prompt(usage) + usage.output,
          },
        },
      },
    ];
  },
};

const GEMINI: Protocol = {
  prefix: '/v1beta',
  end: '',
  key: (headers) => headers['x-goog-api-key'] as string | undefined,
  messages: (path, body) => ({
    model: /models\/([^:]+):/.exec(path)?.[1],
    max_tokens: (body['generationConfig'] as Json)['maxOutputTokens'],
    stream: true,
    system: list((body['systemInstruction'] as Json | undefined)?.['parts']).map((part) => ({
      type: 'text',
      text: part['text'],
    })),
    tools: list(body['tools']).flatMap((tool) => list(tool['functionDeclarations']).map(({ name }) => ({ name }))),
    messages: geminiMessages(list(body['contents'])),
  }),
  lacks: (body) => {
    const parts = list(body['contents']).flatMap(({ parts: of }) => list(of));
    const calls = parts.filter((part) => 'functionCall' in part);
    return calls.every((part) => part['thoughtSignature'] === SIGNATURE)
      ? null
      : 'a function call lacks its thought_signature';
  },
  events: ({ model, blocks, stopReason, usage }) => [
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: REASONED, thought: true },
              ...blocks.map((block) =>
                block.type === 'text'
                  ? { text: block.text }
                  : {
                      functionCall: { name: block.name, args: block.cut ? {} : JSON.parse(block.json) },
                      thoughtSignature: SIGNATURE,
                    },
              ),
            ],
          },
          finishReason: stopReason === 'max_tokens' ? 'MAX_TOKENS' : 'STOP',
          index: 0,
        },
      ],
      modelVersion: model,
      // Thoughts are counted beside the candidates.
      usageMetadata: {
        promptTokenCount: prompt(usage),
        cachedContentTokenCount: usage.cacheRead,
        candidatesTokenCount: Math.max(0, usage.output - 1),
        thoughtsTokenCount: Math.min(1, usage.output),
        totalTokenCount: prompt(usage) + usage.output,
      },
    },
  ],
};

/** Gemini has no ids of calls: results are matched in order. */
function geminiMessages(contents: readonly Json[]): object[] {
  let calls = 0;
  let results = 0;
  return merged(
    contents.map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : 'user',
      content: list(parts).flatMap((part): object[] => {
        const call = part['functionCall'] as Json | undefined;
        const result = part['functionResponse'] as Json | undefined;
        if (call !== undefined) return [useBlock(`call_${calls++}`, call['name'], call['args'])];
        if (result !== undefined) {
          const { content } = result['response'] as Json;
          return [resultBlock(`call_${results++}`, content)];
        }
        return part['thought'] === true ? [] : [{ type: 'text', text: part['text'] }];
      }),
    })),
  );
}

const PROTOCOLS: Readonly<Record<OtherWire, Protocol>> = { chat: CHAT, responses: RESPONSES, gemini: GEMINI };
