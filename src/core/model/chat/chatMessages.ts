/** The conversation of a chat request as the Messages API has it: system apart, results in the user's turns. */
import { z } from 'zod';

export class Refused extends Error {}

export interface ChatMessage {
  readonly role: string;
  readonly [name: string]: unknown;
}

type Block = Readonly<Record<string, unknown>>;

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

/** Chat servers cache without marks; the Messages API caches up to a mark. */
export const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;
/** The newest turn of the user, and the one before it, up to which the last request wrote. */
const MARKED_TURNS = 2;

const Part = z.looseObject({ type: z.string() });
const Content = z.union([z.string(), z.array(Part)]).nullish();
const TextPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const Refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const ImagePart = z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) });
const Call = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const Said = z.looseObject({ content: Content, tool_calls: z.array(Call).nullish() });
const Result = z.looseObject({ content: Content, tool_call_id: z.string() });

const DATA_URL = /^data:(image\/[\w.+-]+);base64,([\w+/=]+)$/;

/** Throws Refused for content that the Messages API cannot express. */
export function chatMessages(messages: readonly ChatMessage[]): {
  readonly system: readonly Block[];
  readonly messages: readonly Turn[];
} {
  const first = messages.findIndex(({ role }) => !isSystem(role));
  const opening = first < 0 ? messages : messages.slice(0, first);
  const system = opening.flatMap((message) => blocksOf(read(Said, message).content));
  const turns = joined((first < 0 ? [] : messages.slice(first)).map(turnOf));
  if (turns.length === 0) throw new Refused('there is no message to answer');
  return { system: marked(system), messages: withMarks(turns) };
}

/** Later system messages stay at their position: moved to the front, they would invalidate the cache. */
function turnOf(message: ChatMessage): Turn {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role: 'user', content: blocksOf(read(Said, message).content) };
    case 'assistant': {
      const { content, tool_calls } = read(Said, message);
      return { role: 'assistant', content: [...blocksOf(content), ...(tool_calls ?? []).map(callOf)] };
    }
    case 'tool': {
      const { content, tool_call_id } = read(Result, message);
      const result = { type: 'tool_result', tool_use_id: idOf(tool_call_id), content: blocksOf(content) };
      return { role: 'user', content: [result] };
    }
    default:
      throw new Refused(`messages of the role ${message.role.slice(0, 20)} cannot be used here`);
  }
}

function isSystem(role: string): boolean {
  return role === 'system' || role === 'developer';
}

function read<T>(schema: z.ZodType<T>, value: { readonly role?: string; readonly type?: string }): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const what = value.role === undefined ? `a part of type ${value.type}` : `a message of the role ${value.role}`;
  throw new Refused(`${what.slice(0, 60)} is malformed`);
}

/** The Messages API refuses texts that are blank. */
function blocksOf(content: z.infer<typeof Content>): Block[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return parts.map(blockOf).filter(({ type, text }) => type !== 'text' || String(text).trim() !== '');
}

function blockOf(part: z.infer<typeof Part>): Block {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: read(TextPart, part).text };
    case 'refusal':
      return { type: 'text', text: read(Refusal, part).refusal };
    case 'image_url': {
      const [, media_type, data] = DATA_URL.exec(read(ImagePart, part).image_url.url) ?? [];
      if (data === undefined) throw new Refused('an image by its address cannot be used here: send its data');
      return { type: 'image', source: { type: 'base64', media_type, data } };
    }
    default:
      throw new Refused(`content of type ${part.type.slice(0, 40)} cannot be used here`);
  }
}

function callOf({ id, function: { name, arguments: text } }: z.infer<typeof Call>): Block {
  return { type: 'tool_use', id: idOf(id), name, input: inputOf(text) };
}

/** The Messages API knows ids of these characters alone. */
function idOf(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}

/** A call that was cut off has no input that can be read: it is shown as it was. */
function inputOf(text: string): object {
  if (text.trim() === '') return {};
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
    return { unreadable: text };
  } catch {
    return { unreadable: text };
  }
}

/** Results of parallel calls arrive one by one, and must be in one turn. */
function joined(turns: readonly Turn[]): Turn[] {
  const whole: Turn[] = [];
  for (const { role, content } of turns) {
    const last = whole.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) whole[whole.length - 1] = { role, content: [...last.content, ...content] };
    else whole.push({ role, content });
  }
  return whole;
}

function marked(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, ...CACHE_MARK } : block));
}

function withMarks(turns: readonly Turn[]): readonly Turn[] {
  const users = turns.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-MARKED_TURNS);
  return turns.map((turn, at) => (users.includes(at) ? { ...turn, content: marked(turn.content) } : turn));
}
