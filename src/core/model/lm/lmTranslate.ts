/** A request of the Messages API as the editor's language models take it: no system role, three kinds of parts. */
import { z } from 'zod';
import { parseJson } from '../../text/json.ts';
import { type Block, BodyShape, type Content, Text, ToolResult, ToolShape, ToolUse } from '../messagesShapes.ts';

export type LmPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

export interface LmMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly LmPart[];
}

export interface LmTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export interface LmRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly stream: boolean;
  readonly messages: readonly LmMessage[];
  readonly tools: readonly LmTool[];
  /** The model must call a tool. */
  readonly mustCall: boolean;
}

/** `refused`: the reason why such a model cannot receive the request. */
export type LmTranslation = { readonly request: LmRequest } | { readonly refused: string };

const Body = BodyShape.extend({
  /** Absent when tokens are counted. */
  max_tokens: z.int().positive().optional(),
  tools: z.array(ToolShape.extend({ description: z.string().optional() })).nullish(),
});

class Refused extends Error {}

/** Translates a request's body. Cache marks, sampling and thinking settings have no counterpart and are left out. */
export function toLmRequest(bodyText: string): LmTranslation {
  const parsed = Body.safeParse(parseJson(bodyText));
  if (!parsed.success)
    return { refused: `not a request of the Messages API: ${z.prettifyError(parsed.error).slice(0, 300)}` };
  const body = parsed.data;
  try {
    const messages = body.messages.map(({ role, content }): LmMessage => ({ role, parts: partsOf(content) }));
    const system = body.system === undefined || body.system === null ? [] : partsOf(body.system);
    const tools = (body.tools ?? []).map((tool): LmTool => {
      if (tool.input_schema === undefined) throw new Refused(`the tool ${tool.name.slice(0, 60)} has no schema`);
      return { name: tool.name, description: tool.description ?? '', inputSchema: tool.input_schema };
    });
    const forced =
      body.tool_choice?.type === 'tool' ? tools.filter(({ name }) => name === body.tool_choice?.name) : tools;
    return {
      request: {
        model: body.model,
        maxTokens: body.max_tokens ?? 1,
        stream: body.stream === true,
        messages: paired(system.length === 0 ? messages : [{ role: 'user', parts: system }, ...messages]),
        tools: body.tool_choice?.type === 'none' ? [] : forced,
        mustCall: body.tool_choice?.type === 'any' || body.tool_choice?.type === 'tool',
      },
    };
  } catch (thrown) {
    if (thrown instanceof Refused) return { refused: thrown.message };
    throw thrown;
  }
}

function partsOf(content: z.infer<typeof Content>): LmPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return content.flatMap(partOf);
}

function partOf(block: Block): LmPart[] {
  switch (block.type) {
    case 'text': {
      const { text } = read(Text, block);
      return text === '' ? [] : [{ kind: 'text', text }];
    }
    case 'tool_use': {
      const { id, name, input } = read(ToolUse, block);
      return [{ kind: 'call', id, name, input }];
    }
    case 'tool_result': {
      const { tool_use_id, content, is_error } = read(ToolResult, block);
      const text = plainText(content ?? '');
      return [{ kind: 'result', id: tool_use_id, text: is_error === true ? `The tool failed: ${text}` : text }];
    }
    // Another provider's private notes to itself.
    case 'thinking':
    case 'redacted_thinking':
      return [];
    default:
      return [{ kind: 'text', text: leftOut(block.type) }];
  }
}

function read<T>(schema: z.ZodType<T>, block: Block): T {
  const parsed = schema.safeParse(block);
  if (parsed.success) return parsed.data;
  throw new Refused(`a ${block.type} block is malformed`);
}

function plainText(content: z.infer<typeof Content>): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? read(Text, block).text : leftOut(block.type))).join('\n');
}

/** A text for the model in place of content that it cannot receive. */
function leftOut(type: string): string {
  return `[${type.replace(/\W+/g, ' ').slice(0, 40)}: cannot be shown to this model]`;
}

/** Models refuse a result without its call and a call without its result: such halves become text. */
function paired(messages: readonly LmMessage[]): readonly LmMessage[] {
  const ids = (message: LmMessage | undefined, kind: 'call' | 'result'): ReadonlySet<string> =>
    new Set(message?.parts.flatMap((part) => (part.kind === kind ? [part.id] : [])));
  const kept = messages.map((message, at): LmMessage => {
    const calls = ids(messages[at - 1], 'call');
    const results = ids(messages[at + 1], 'result');
    const parts = message.parts.map((part): LmPart => {
      if (part.kind === 'call' && !results.has(part.id))
        return { kind: 'text', text: `[called ${part.name}, without a result]` };
      if (part.kind === 'result' && !calls.has(part.id)) return { kind: 'text', text: part.text };
      return part;
    });
    return { ...message, parts };
  });
  return kept.filter(({ parts }) => parts.length > 0);
}

/** The whole text of a request, for counting. */
export function textOfRequest({ messages, tools }: LmRequest): string {
  const texts = messages.flatMap(({ parts }) => parts.map(textOfPart));
  return [...texts, ...tools.map((tool) => JSON.stringify(tool))].join('\n');
}

export function textOfPart(part: LmPart): string {
  return part.kind === 'call' ? `${part.name} ${JSON.stringify(part.input)}` : part.text;
}
