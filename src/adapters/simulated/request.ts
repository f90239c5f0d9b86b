/** Reads the body of a Messages API request, and refuses requests that the real API would refuse. */
import { z } from 'zod';

const cacheControl = z.looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).default('5m') });

const block = z.looseObject({ type: z.string(), cache_control: cacheControl.nullish() });
const content = z.union([z.string().transform((text): Block[] => [{ type: 'text', text }]), z.array(block)]);

const requestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content })).min(1),
  system: content.default([]),
  tools: z.array(z.looseObject({ name: z.string().optional(), cache_control: cacheControl.nullish() })).default([]),
  cache_control: cacheControl.nullish(),
  max_tokens: z.number().int().min(1).optional(),
  stream: z.boolean().default(false),
});

export type Block = z.output<typeof block>;
/** A normalized request: content is always a list of blocks. */
export type MessagesRequest = z.output<typeof requestSchema>;
export type Message = MessagesRequest['messages'][number];

export type ReadRequest =
  | { readonly ok: true; readonly request: MessagesRequest }
  | { readonly ok: false; readonly message: string };

/** `message` explains the error, in the style of an `invalid_request_error`. */
export function readRequest(body: string): ReadRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { ok: false, message: 'The request body is not valid JSON.' };
  }
  const parsed = requestSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, message: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}` };
  }
  const message = faultOf(parsed.data);
  return message === null ? { ok: true, request: parsed.data } : { ok: false, message };
}

function faultOf(request: MessagesRequest): string | null {
  return blockFault(request) ?? breakpointFault(request) ?? pairingFault(request);
}

function blockFault({ messages, tools }: MessagesRequest): string | null {
  if (messages[0]?.role === 'assistant') return 'messages: first message must use the "user" role';
  for (const [at, message] of messages.entries()) {
    const last = at === messages.length - 1 && message.role === 'assistant';
    if (message.content.length === 0 && !last) return `messages.${at}: content must not be empty`;
    const blank = message.content.findIndex((item) => item.type === 'text' && isBlank(item['text']));
    if (blank >= 0) return `messages.${at}.content.${blank}: text content blocks must be non-empty`;
  }
  const names = tools.map((tool) => tool.name).filter((name) => name !== undefined);
  return new Set(names).size === names.length ? null : 'tools: Tool names must be unique.';
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text === '';
}

const MAX_BREAKPOINTS = 4;

function breakpointFault({ system, tools, messages, cache_control }: MessagesRequest): string | null {
  const parts = [...tools, ...system, ...messages.flatMap((message) => message.content)];
  const marks = [...parts, { cache_control }].flatMap((part) => part.cache_control?.ttl ?? []);
  if (marks.length > MAX_BREAKPOINTS) {
    return `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marks.length}.`;
  }
  const isRising = marks.some((ttl, at) => ttl === '1h' && marks[at - 1] === '5m');
  return isRising
    ? 'cache_control.ttl: a mark of 1h must not come after one of 5m (order: tools, system, messages).'
    : null;
}

/**
 * Each tool call must be answered in the next user turn, before any other content of it, and only open calls may be
 * answered.
 */
function pairingFault(request: MessagesRequest): string | null {
  let open: readonly string[] = [];
  for (const [at, turn] of turnsOf(request.messages).entries()) {
    if (turn.role === 'assistant') {
      if (open.length > 0) return danglingCalls(at, open);
      open = idsOf(turn.content, 'tool_use', 'id');
      continue;
    }
    const firstOther = turn.content.findIndex((item) => item.type !== 'tool_result');
    const leading = firstOther < 0 ? turn.content : turn.content.slice(0, firstOther);
    const answered = idsOf(leading, 'tool_result', 'tool_use_id');
    const missing = open.filter((id) => !answered.includes(id));
    if (missing.length > 0) return danglingCalls(at, missing);
    const stray = idsOf(turn.content, 'tool_result', 'tool_use_id').find((id) => !open.includes(id));
    if (stray !== undefined) return `messages.${at}: unexpected tool_use_id found in tool_result blocks: ${stray}.`;
    open = [];
  }
  return open.length === 0 ? null : danglingCalls(request.messages.length, open);
}

function danglingCalls(at: number, ids: readonly string[]): string {
  return `messages.${at}: tool_use ids were found without tool_result blocks immediately after: ${ids.join(', ')}.`;
}

/** Adjacent messages of one role count as one turn. */
function turnsOf(messages: readonly Message[]): Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const last = turns.at(-1);
    if (last?.role === message.role) last.content = [...last.content, ...message.content];
    else turns.push({ ...message });
  }
  return turns;
}

function idsOf(blocks: readonly Block[], type: string, key: string): string[] {
  return blocks.filter((item) => item.type === type).map((item) => String(item[key]));
}
