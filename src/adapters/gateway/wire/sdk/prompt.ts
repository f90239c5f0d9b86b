/** A request of the Messages API as a call of the AI SDK's language models. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { z } from 'zod';
import { keptIn } from '../../../../core/model/keptParts.ts';
import {
  type Block,
  BodyShape,
  type Content,
  Text,
  ToolResult,
  ToolShape,
  ToolUse,
} from '../../../../core/model/messagesShapes.ts';
import { parseJson } from '../../../../core/text/json.ts';
import { EFFORTS } from '../../../../shared/model/effort.ts';

const Body = BodyShape.extend({
  max_tokens: z.int().positive(),
  tools: z.array(ToolShape.extend({ description: z.string().nullish() })).nullish(),
  temperature: z.number().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  output_config: z.looseObject({ effort: z.enum(EFFORTS).optional() }).nullish(),
});
type Body = z.infer<typeof Body>;

const Thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const Image = z.looseObject({
  type: z.literal('image'),
  source: z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
});

/** A request that the wire cannot send. The message is for people. */
class Unsendable extends Error {}

export interface SdkRequest {
  readonly model: string;
  readonly streams: boolean;
  readonly call: Omit<LanguageModelV4CallOptions, 'abortSignal'>;
  readonly tools: readonly LanguageModelV4FunctionTool[];
}

/** `refused`: why such a model cannot receive the request. Cache marks have no counterpart and are left out. */
export function sdkRequest(body: string, connection: string): SdkRequest | { readonly refused: string } {
  const parsed = Body.safeParse(parseJson(body));
  if (!parsed.success)
    return { refused: `not a request of the Messages API: ${z.prettifyError(parsed.error).slice(0, 300)}` };
  try {
    return translated(parsed.data, connection);
  } catch (thrown) {
    if (thrown instanceof Unsendable) return { refused: thrown.message };
    throw thrown;
  }
}

function translated(body: Body, connection: string): SdkRequest {
  const tools = (body.tools ?? []).map(toolOf);
  const choice = body.tool_choice?.type;
  const name = body.tool_choice?.name;
  const effort = body.output_config?.effort;
  return {
    model: body.model,
    streams: body.stream === true,
    tools,
    call: {
      prompt: [...systemOf(body), ...messagesOf(body.messages, connection)],
      maxOutputTokens: body.max_tokens,
      ...(body.temperature == null ? {} : { temperature: body.temperature }),
      ...(body.stop_sequences == null ? {} : { stopSequences: body.stop_sequences }),
      ...(effort === undefined ? {} : { reasoning: effort }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(choice === 'any' ? { toolChoice: { type: 'required' } } : {}),
      ...(choice === 'none' ? { toolChoice: { type: 'none' } } : {}),
      ...(choice === 'tool' && name !== undefined ? { toolChoice: { type: 'tool', toolName: name } } : {}),
    },
  };
}

function toolOf({ type, name, description, input_schema }: NonNullable<Body['tools']>[number]) {
  if (type != null && type !== 'custom') throw new Unsendable(`this wire has no tool of type ${type.slice(0, 60)}`);
  return {
    type: 'function',
    name,
    inputSchema: (input_schema ?? { type: 'object' }) as LanguageModelV4FunctionTool['inputSchema'],
    ...(description == null ? {} : { description }),
  } satisfies LanguageModelV4FunctionTool;
}

function systemOf({ system }: Body): LanguageModelV4Message[] {
  const text = blocksOf(system ?? '')
    .flatMap((block) => Text.safeParse(block).data?.text ?? [])
    .join('\n\n');
  return text === '' ? [] : [{ role: 'system', content: text }];
}

const blocksOf = (content: z.infer<typeof Content>): readonly Block[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content;

function messagesOf(messages: Body['messages'], connection: string): LanguageModelV4Message[] {
  /** Names of tools by the ids of their calls. */
  const names = new Map<string, string>();
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' ? assistantOf(blocksOf(content), connection, names) : userOf(blocksOf(content), names),
  );
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/** Thinking of another connection is left out: no provider takes it. */
function assistantOf(
  blocks: readonly Block[],
  connection: string,
  names: Map<string, string>,
): LanguageModelV4Message[] {
  const parts: AssistantPart[] = [];
  let ofNext: AssistantPart['providerOptions'];
  for (const block of blocks) {
    const kept = keptIn(Thinking.safeParse(block).data?.signature);
    if (kept !== null && kept.connection === connection) {
      const options = kept.metadata as AssistantPart['providerOptions'];
      const last = parts.at(-1);
      if (kept.of === 'next') ofNext = options;
      else if (kept.of === 'previous' && last !== undefined) parts[parts.length - 1] = withOptions(last, options);
      else if (kept.of === 'reasoning')
        parts.push(withOptions({ type: 'reasoning', text: Thinking.parse(block).thinking }, options));
      continue;
    }
    const text = Text.safeParse(block).data;
    const use = ToolUse.safeParse(block).data;
    if (text !== undefined && text.text !== '') parts.push(withOptions({ type: 'text', text: text.text }, ofNext));
    if (use !== undefined) {
      names.set(use.id, use.name);
      const call = { type: 'tool-call', toolCallId: use.id, toolName: use.name, input: use.input } as const;
      parts.push(withOptions(call, ofNext));
    }
    if (text !== undefined || use !== undefined) ofNext = undefined;
  }
  return parts.length === 0 ? [] : [{ role: 'assistant', content: parts }];
}

const withOptions = <T extends AssistantPart>(part: T, options: AssistantPart['providerOptions']): T =>
  options === undefined || Object.keys(options).length === 0 ? part : { ...part, providerOptions: options };

type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number];

/** Results of tools come first, as the calls want them; images of results follow as parts of the user. */
function userOf(blocks: readonly Block[], names: ReadonlyMap<string, string>): LanguageModelV4Message[] {
  const results: LanguageModelV4ToolResultPart[] = [];
  const parts: UserPart[] = [];
  for (const block of blocks) {
    const text = Text.safeParse(block).data?.text;
    if (text !== undefined && text !== '') parts.push({ type: 'text', text });
    if (block.type === 'image') parts.push(imageOf(block));
    const result = ToolResult.safeParse(block).data;
    if (result === undefined) {
      if (!['text', 'image', 'tool_result'].includes(block.type))
        throw new Unsendable(`this wire carries no ${block.type.slice(0, 60)}`);
      continue;
    }
    const { value, images } = resultOf(blocksOf(result.content ?? ''));
    results.push({
      type: 'tool-result',
      toolCallId: result.tool_use_id,
      toolName: names.get(result.tool_use_id) ?? 'unknown',
      output: { type: result.is_error === true ? 'error-text' : 'text', value },
    });
    parts.push(...images);
  }
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool', content: results } as const]),
    ...(parts.length === 0 ? [] : [{ role: 'user', content: parts } as const]),
  ];
}

function resultOf(blocks: readonly Block[]): { value: string; images: UserPart[] } {
  const images = blocks.filter(({ type }) => type === 'image').map(imageOf);
  const texts = blocks.flatMap((block) => {
    if (block.type === 'image') return ['[an image, which follows]'];
    return Text.safeParse(block).data?.text ?? [];
  });
  return { value: texts.join('\n'), images };
}

function imageOf(block: Block): UserPart {
  const image = Image.safeParse(block);
  if (!image.success) throw new Unsendable('an image is not in the request itself');
  const { media_type: mediaType, data } = image.data.source;
  return { type: 'file', mediaType, data: { type: 'data', data } };
}
