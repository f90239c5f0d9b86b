/** Refuses requests whose cost has no upper bound, computes the bound of their input, and can shorten their answer. */
import { z } from 'zod';
import { thinkingRoom } from '../../../core/model/effort.ts';
import { inputUpperBound, type PromptShape } from '../../../core/model/usage/inputBound.ts';
import type { CacheWrite } from '../../../core/money/price/pricing.ts';
import { parseJson } from '../../../core/text/json.ts';
import { withNumber, withString } from '../../../core/text/jsonText.ts';
import type { ModelRequest } from '../../../engine/session/gatewayPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { EFFORTS } from '../../../shared/model/effort.ts';

/** The API's own limit. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_ANSWER_TOKENS = 1_000_000;

const CacheControl = z.looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish();
const Block = z.looseObject({ type: z.string(), cache_control: CacheControl });
type Block = z.infer<typeof Block>;
const Content = z.union([z.string(), z.array(Block)]);
const Tool = z.looseObject({ type: z.string().nullish(), cache_control: CacheControl });
const WithEffort = z.looseObject({ effort: z.enum(EFFORTS) });
const Thinking = z.looseObject({ type: z.string(), budget_tokens: z.int().nonnegative().optional() }).nullish();

/**
 * The parameters whose price is known. Others are refused, not ignored: `thread`, `container`, `mcp_servers`, `speed`,
 * `inference_geo`, `fallbacks`, `compaction` cause costs that the body does not show.
 */
const MessageBody = z.strictObject({
  model: z.string().min(1).max(200),
  max_tokens: z.int().positive().max(MAX_ANSWER_TOKENS),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })).min(1),
  system: Content.nullish(),
  tools: z.array(Tool).nullish(),
  cache_control: CacheControl,
  stream: z.boolean().nullish(),
  context_management: z
    .looseObject({ edits: z.array(z.looseObject({ type: z.string().startsWith('clear_') })).optional() })
    .nullish(),
  metadata: z.unknown().optional(),
  output_config: z.unknown().optional(),
  output_format: z.unknown().optional(),
  service_tier: z.literal('standard_only').optional(),
  stop_sequences: z.unknown().optional(),
  temperature: z.unknown().optional(),
  thinking: Thinking,
  tool_choice: z.unknown().optional(),
  top_k: z.unknown().optional(),
  top_p: z.unknown().optional(),
});
type MessageBody = z.infer<typeof MessageBody>;

/** Tools that the provider describes but the agent runs; every tool that runs at the provider has a separate price. */
const CLIENT_TOOL = /^(bash|text_editor|memory)_\d{8}$/;

/** A request that may leave. */
export type PassedRequest =
  | { readonly kind: 'count'; readonly request: ModelRequest }
  | {
      readonly kind: 'message';
      readonly request: ModelRequest;
      readonly model: string;
      readonly maxTokens: number;
      /** Tokens of the answer that are reserved for thinking; null if the model decides how many. */
      readonly thinking: number | null;
      readonly stream: boolean;
      readonly inputBound: number;
      readonly cacheWrite: CacheWrite;
      /** Body for `/v1/messages/count_tokens` that counts the same prompt. */
      readonly countBody: string;
    };

export type MessageRequest = Extract<PassedRequest, { kind: 'message' }>;

/** Throws NOT_PERMITTED for another path or method, MODEL_REQUEST_REFUSED (400) for a body whose cost has no bound. */
export function passRequest(request: ModelRequest): PassedRequest {
  const [path, query] = request.path.split('?', 2);
  const known = path === '/v1/messages' || path === '/v1/messages/count_tokens';
  if (request.method !== 'POST' || !known || (query !== undefined && query !== 'beta=true')) {
    throw failure('NOT_PERMITTED', `${request.method} ${request.path.slice(0, 200)} does not pass the gateway`);
  }
  const bodyBytes = Buffer.byteLength(request.body);
  if (bodyBytes > MAX_BODY_BYTES) throw refused(`the request has ${bodyBytes} bytes, over ${MAX_BODY_BYTES}`);
  if (path === '/v1/messages/count_tokens') return { kind: 'count', request };
  const body = parseBody(request.body);
  return {
    kind: 'message',
    request,
    model: body.model,
    maxTokens: body.max_tokens,
    thinking: thinkingOf(body),
    stream: body.stream === true,
    inputBound: inputUpperBound(shapeOf(body, bodyBytes)),
    cacheWrite: cacheWriteOf(body),
    countBody: countBodyOf(body),
  };
}

/**
 * The same request for an answer of at most `maxTokens`. No other byte of the body changes, so the prompt is still read
 * from the cache.
 */
export function withAnswerOf(call: MessageRequest, maxTokens: number): MessageRequest {
  if (maxTokens === call.maxTokens) return call;
  const passed = passRequest({ ...call.request, body: withNumber(call.request.body, 'max_tokens', maxTokens) });
  if (passed.kind !== 'message' || passed.maxTokens !== maxTokens) throw new Error('the answer was not shortened');
  return passed;
}

/** The same request to a model by the name that its server knows. No other byte of the body changes. */
export function withModelOf(passed: PassedRequest, model: string): PassedRequest {
  if (passed.kind !== 'message' || passed.model === model) return passed;
  return passRequest({ ...passed.request, body: withString(passed.request.body, 'model', model) });
}

/** If the call has no thinking setting, the effort decides. */
function thinkingOf({ thinking, output_config }: MessageBody): number | null {
  if (thinking === undefined || thinking === null)
    return thinkingRoom(WithEffort.safeParse(output_config).data?.effort);
  if (thinking.type === 'disabled') return 0;
  return thinking.budget_tokens ?? null;
}

function refused(message: string) {
  return failure('MODEL_REQUEST_REFUSED', message, { details: { status: 400, by: 'gateway' } });
}

function parseBody(text: string): MessageBody {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw failure('MODEL_REQUEST_REFUSED', 'the request is not JSON', {
      details: { status: 400, by: 'gateway' },
      cause,
    });
  }
  const parsed = MessageBody.safeParse(json);
  if (!parsed.success) {
    throw refused(`the gateway cannot price the request: ${z.prettifyError(parsed.error).slice(0, 500)}`);
  }
  return parsed.data;
}

function shapeOf(body: MessageBody, bodyBytes: number): PromptShape {
  const tools = body.tools ?? [];
  const types = tools.flatMap(({ type }) => (type === undefined || type === null || type === 'custom' ? [] : [type]));
  const foreign = types.find((type) => !CLIENT_TOOL.test(type));
  if (foreign !== undefined)
    throw refused(`the tool ${foreign.slice(0, 60)} runs at the provider and has no known price`);
  const seen = { blocks: 0, images: 0, imageBytes: 0 };
  walk(body.system, seen);
  for (const message of body.messages) walk(message.content, seen);
  return {
    bytes: bodyBytes - seen.imageBytes,
    messages: body.messages.length,
    blocks: seen.blocks,
    images: seen.images,
    tools: tools.length,
    providerTools: types.length,
  };
}

interface Seen {
  blocks: number;
  images: number;
  imageBytes: number;
}

const Source = z.looseObject({ type: z.string(), data: z.string().optional(), content: z.unknown().optional() });
const Nested = z.union([z.string(), z.array(Block)]).nullish();

/** Counts blocks, and refuses content whose tokens the body does not bound: URLs, files, PDFs. */
function walk(content: unknown, seen: Seen): void {
  if (typeof content === 'string') seen.blocks++;
  if (!Array.isArray(content)) return;
  for (const block of content as readonly Block[]) {
    seen.blocks++;
    if (block.type === 'container_upload') throw refused('content by reference has no known price');
    // It may contain files in fields that are not walked: a PDF of few bytes has many pages.
    if (block.type.endsWith('_tool_result')) throw refused('what a tool at the provider found has no known price');
    if (block.type === 'image' || block.type === 'document') walkSource(block, seen);
    if (block.type === 'tool_result' || block.type === 'search_result') {
      const nested = Nested.safeParse(block['content']);
      if (!nested.success) throw refused(`a ${block.type} block is malformed`);
      walk(nested.data, seen);
    }
  }
}

function walkSource(block: Block, seen: Seen): void {
  const source = Source.safeParse(block['source']);
  if (!source.success) throw refused(`a block of type ${block.type} has no source`);
  const { type, data, content } = source.data;
  if (block.type === 'image' && type === 'base64') {
    seen.images++;
    seen.imageBytes += data?.length ?? 0;
  } else if (block.type === 'document' && (type === 'text' || type === 'content')) {
    walk(content, seen);
  } else {
    throw refused(`a block of type ${block.type} with a source of type ${type.slice(0, 20)} has no known price`);
  }
}

/** Checks every position that may mark the cache; a missing `ttl` means five minutes. */
function cacheWriteOf(body: MessageBody): CacheWrite {
  let write: CacheWrite = 'none';
  const see = (marked: { readonly cache_control?: z.infer<typeof CacheControl> }) => {
    if (marked.cache_control === undefined || marked.cache_control === null) return;
    if (marked.cache_control.ttl === '1h') write = '1h';
    else if (write === 'none') write = '5m';
  };
  const seeAll = (content: unknown): void => {
    if (!Array.isArray(content)) return;
    for (const block of content as readonly Block[]) {
      see(block);
      seeAll(block['content']);
    }
  };
  see(body);
  for (const tool of body.tools ?? []) see(tool);
  seeAll(body.system);
  for (const message of body.messages) seeAll(message.content);
  return write;
}

/** The model of a request to count tokens; empty if it names none, which the provider refuses. */
export function modelIn({ request }: Extract<PassedRequest, { kind: 'count' }>): string {
  const named = z.looseObject({ model: z.string() }).safeParse(parseJson(request.body));
  return named.success ? named.data.model : '';
}

/** Fields that only shape the answer have no tokens, and `count_tokens` rejects them. */
function countBodyOf(body: MessageBody): string {
  const { model, messages, system, tools, tool_choice, thinking } = body;
  return JSON.stringify({
    model,
    messages,
    system: system ?? undefined,
    tools: tools ?? undefined,
    tool_choice,
    thinking,
  });
}
