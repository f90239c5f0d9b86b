/** A request of the OpenAI chat protocol as one of the Messages API. A function of the body alone. */
import { z } from 'zod';
import { parseJson } from '../../text/json.ts';
import { CACHE_MARK, type ChatMessage, chatMessages, Refused } from './chatMessages.ts';

/** `warnings`: the parts that have no counterpart and were left out. */
export type ChatTranslation =
  | {
      /** Body for `POST /v1/messages`; always streams. */
      readonly body: string;
      readonly stream: boolean;
      /** The stream ends with the usage. */
      readonly includeUsage: boolean;
      readonly warnings: readonly string[];
    }
  | { readonly refused: string };

const FunctionTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.looseObject({}).nullish(),
  }),
});
const Choice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
]);
const Format = z.union([
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_schema'), json_schema: z.looseObject({ schema: z.looseObject({}) }) }),
]);

const Body = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.string() })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  n: z.literal(1, 'only one answer at a time').nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  tools: z.array(FunctionTool, 'only tools of type function').nullish(),
  tool_choice: Choice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: Format.nullish(),
});
type Body = z.infer<typeof Body>;

/** `maxTokens`: of an answer to which the request sets no bound. */
export function toMessagesRequest(text: string, maxTokens: number): ChatTranslation {
  const parsed = Body.safeParse(parseJson(text));
  if (!parsed.success)
    return { refused: `not a chat request that can be answered: ${z.prettifyError(parsed.error).slice(0, 300)}` };
  const chat = parsed.data;
  try {
    const { system, messages } = chatMessages(chat.messages as readonly ChatMessage[]);
    const body = {
      model: chat.model,
      max_tokens: chat.max_completion_tokens ?? chat.max_tokens ?? maxTokens,
      ...(system.length === 0 ? {} : { system }),
      ...toolsOf(chat, system.length === 0),
      messages,
      ...samplingOf(chat),
      ...(chat.response_format?.type === 'json_schema'
        ? { output_config: { format: { type: 'json_schema', schema: chat.response_format.json_schema.schema } } }
        : {}),
      stream: true,
    };
    return {
      body: JSON.stringify(body),
      stream: chat.stream === true,
      includeUsage: chat.stream_options?.include_usage === true,
      warnings: leftOut(chat),
    };
  } catch (thrown) {
    if (thrown instanceof Refused) return { refused: thrown.message };
    throw thrown;
  }
}

/** The last tool has the cache mark only if no system prompt follows it. */
function toolsOf(chat: Body, marked: boolean): object {
  const tools = (chat.tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description ? { description } : {}),
    input_schema: { type: 'object', ...parameters },
  }));
  const last = tools.at(-1);
  if (last === undefined) return {};
  return {
    tools: marked ? [...tools.slice(0, -1), { ...last, ...CACHE_MARK }] : tools,
    ...choiceOf(chat),
  };
}

function choiceOf({ tool_choice, parallel_tool_calls }: Body): object {
  const single = parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {};
  if (tool_choice === 'none') return { tool_choice: { type: 'none' } };
  if (tool_choice === 'required') return { tool_choice: { type: 'any', ...single } };
  if (typeof tool_choice === 'object' && tool_choice !== null)
    return { tool_choice: { type: 'tool', name: tool_choice.function.name, ...single } };
  return parallel_tool_calls === false || tool_choice === 'auto' ? { tool_choice: { type: 'auto', ...single } } : {};
}

/** The Messages API takes temperatures up to 1, one of the two ways to sample, and no stop of blanks alone. */
function samplingOf({ stop, temperature, top_p }: Body): object {
  const stops = [stop ?? []].flat().filter((text) => text.trim() !== '');
  return {
    ...(stops.length === 0 ? {} : { stop_sequences: stops }),
    ...(typeof temperature === 'number' ? { temperature: Math.min(temperature, 1) } : {}),
    ...(typeof top_p === 'number' && typeof temperature !== 'number' ? { top_p } : {}),
  };
}

/** Parameters that can be left out without a warning. */
const SILENT: ReadonlySet<string> = new Set('n store user metadata safety_identifier prompt_cache_key'.split(' '));

function leftOut(chat: Body): string[] {
  const unknown = Object.keys(chat).filter((name) => !Object.hasOwn(Body.shape, name) && !SILENT.has(name));
  return unknown.map(
    (name) => `the parameter ${name.replace(/\W+/g, ' ').slice(0, 60)} of the chat protocol was left out`,
  );
}
