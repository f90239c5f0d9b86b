/** The exchange that shows whether a model calls tools and reads a whole prompt: its request, and what the answer shows. */
import { z } from 'zod';
import { parseJson } from '../text/json.ts';

/** A job's first prompt has about this length; a model that reads less cannot work on it. */
export const LEAST_CONTEXT = 16_000;

/** Words between the code word and the question, for a server that may cut prompts without an error: a token each, or a little more. */
const FILLER_WORDS = 6_000;
const WORDS = ['river', 'stone', 'green', 'paper', 'light', 'house', 'window', 'table', 'garden', 'morning'];
const TOOL = 'confirm';

/** The body of the request. `long`: the code word stands in front of a text that a context of 4,096 tokens does not hold. */
export function checkBody(
  model: string,
  word: string,
  { long, maxTokens }: { readonly long: boolean; readonly maxTokens: number },
): string {
  const filler = Array.from({ length: FILLER_WORDS }, (_, at) => WORDS[at % WORDS.length]).join(' ');
  const text = [
    `The code word is ${word}.`,
    ...(long ? [`Ignore this list: ${filler}`] : []),
    `Call the tool ${TOOL} with the code word that this message begins with. Do nothing else.`,
  ].join('\n\n');
  return JSON.stringify({
    model,
    max_tokens: maxTokens,
    stream: true,
    system: 'You are asked to call one tool.',
    tools: [
      {
        name: TOOL,
        description: 'Confirms the code word.',
        input_schema: {
          type: 'object',
          properties: { word: { type: 'string', description: 'The code word.' } },
          required: ['word'],
          additionalProperties: false,
        },
      },
    ],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  });
}

const Event = z.looseObject({
  type: z.string(),
  content_block: z.looseObject({ type: z.string(), name: z.string().optional() }).optional(),
  delta: z
    .looseObject({
      partial_json: z.string().optional(),
      text: z.string().optional(),
      stop_reason: z.string().nullish(),
    })
    .optional(),
});

export type Checked =
  | { readonly ok: true }
  /** `cutsPrompts`: the server seems to read only a part of a long prompt. */
  | { readonly ok: false; readonly why: string; readonly cutsPrompts: boolean };

/** Judges the events of the answer. */
export function judgeCheck(events: string, word: string, long: boolean): Checked {
  let isCalled = false;
  let isCut = false;
  let input = '';
  let said = '';
  for (const line of events.split('\n')) {
    const event = line.startsWith('data:') ? Event.safeParse(parseJson(line.slice('data:'.length))).data : undefined;
    if (event?.content_block?.type === 'tool_use') isCalled = event.content_block.name === TOOL;
    input += event?.delta?.partial_json ?? '';
    said += event?.delta?.text ?? '';
    if (event?.delta?.stop_reason === 'max_tokens') isCut = true;
  }
  if (isCut) return failed('its answer to a short question had no end');
  if (!isCalled) {
    const quoted = said.replace(/\s+/g, ' ').trim().slice(0, 120);
    return failed(
      `it was asked to call a tool, and ${quoted === '' ? 'did not' : `answered: ${JSON.stringify(quoted)}`}`,
    );
  }
  if (input.includes(word)) return { ok: true };
  if (!long) return failed('it called a tool with other arguments than those that it was asked for');
  const why =
    'it called a tool without the code word that a prompt of about 6,000 tokens began with: the server cuts prompts';
  return { ok: false, why, cutsPrompts: true };
}

const failed = (why: string): Checked => ({ ok: false, why, cutsPrompts: false });
