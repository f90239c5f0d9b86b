/** The requests of a session. The first one has the same bytes for the session and for a preview. */
import type {
  BetaCacheControlEphemeral,
  BetaContentBlockParam,
  BetaTextBlockParam,
  BetaTool,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { type ConversationUse, UNUSED } from '../../core/session/handover.ts';
import type { Effort } from '../../shared/model/effort.ts';
import type { SessionSpec } from './ports.ts';
import { blocksOf, type Message, textBlock, withUser } from './transcript/messages.ts';

/** A body of `POST /v1/messages`: `JSON.stringify` of it is sent byte for byte. */
export interface RequestBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: readonly BetaTextBlockParam[];
  readonly tools?: readonly BetaTool[];
  readonly messages: readonly Message[];
  readonly temperature?: number;
  readonly output_config?: { readonly effort: Effort };
  readonly stream: true;
}

/** The texts of a session's first user message, in their order. */
export function openingBlocks(spec: SessionSpec): readonly BetaContentBlockParam[] {
  return [...sharedTexts(spec), spec.opening].map(textBlock);
}

/** What other sessions begin with, too: those of the job, and those of the role in the phase. */
function sharedTexts({ shared, phase }: SessionSpec): readonly string[] {
  return [shared, phase].filter((text) => text !== undefined);
}

type CacheMark = BetaCacheControlEphemeral;
const FIVE_MINUTES: CacheMark = { type: 'ephemeral' };
/** Once the cache expired between two requests, it is expected to again. Writing costs more for an hour. */
const ONE_HOUR: CacheMark = { type: 'ephemeral', ttl: '1h' };
/** Marks that the API allows. */
const MARKS = 4;
/** A mark finds what earlier requests wrote this many blocks before it, at the least; the API promises 20. */
const LOOKBACK = 18;

/** The first request of a session with this spec. */
export function firstRequest(spec: SessionSpec, tools: readonly BetaTool[]): RequestBody {
  return requestBody(spec, tools, withUser([], openingBlocks(spec)));
}

/**
 * Cache marks: behind tools and system, behind each text that sessions share, behind the newest message of the user, and behind the one
 * before it, whose prefix the last request wrote. If there are too many, the last of these goes if the newest mark reaches back to it,
 * else the first one, which the others hold. All have one lifetime: a longer one may not follow a shorter one.
 */
export function requestBody(
  spec: SessionSpec,
  tools: readonly BetaTool[],
  messages: readonly Message[],
  { cold }: Pick<ConversationUse, 'cold'> = UNUSED,
): RequestBody {
  const mark = cold > 0 ? ONE_HOUR : FIVE_MINUTES;
  const shared = sharedAt(messages, sharedTexts(spec));
  const moving = movingMarks(messages, MARKS - shared.length - 1);
  const isFull = shared.length + moving.length === MARKS;
  return {
    model: spec.model,
    max_tokens: spec.maxTokens,
    system: [{ type: 'text', text: spec.system, ...(isFull ? {} : { cache_control: mark }) }],
    ...(tools.length > 0 ? { tools } : {}),
    messages: messages.map((message, index) => {
      const marked = moving.includes(index) ? withMark(message, mark) : message;
      return index === 0 ? withSharedMarks(marked, shared, mark) : marked;
    }),
    ...(spec.temperature === undefined ? {} : { temperature: spec.temperature }),
    ...(spec.effort === undefined ? {} : { output_config: { effort: spec.effort } }),
    stream: true,
  };
}

/** Indexes of the blocks of the first message that hold these texts. */
function sharedAt([first]: readonly Message[], texts: readonly string[]): readonly number[] {
  const blocks = first === undefined ? [] : blocksOf(first);
  return texts.flatMap((text, index) => {
    const block = blocks[index];
    return block?.type === 'text' && block.text === text ? [index] : [];
  });
}

/** Indexes of the newest message of the user and of the one before it, which is left out if it is within reach and there is no room. */
function movingMarks(messages: readonly Message[], most: number): readonly number[] {
  const last = messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-2);
  const [before, newest] = last;
  if (before === undefined || newest === undefined || most >= last.length) return last;
  const blocks = messages.slice(before + 1, newest + 1).reduce((sum, message) => sum + blocksOf(message).length, 0);
  return blocks > LOOKBACK ? last : [newest];
}

function withSharedMarks(message: Message, marked: readonly number[], mark: CacheMark): Message {
  if (marked.length === 0) return message;
  const content = blocksOf(message).map((block, index) =>
    marked.includes(index) && block.type === 'text' ? { ...block, cache_control: mark } : block,
  );
  return { ...message, content };
}

function withMark(message: Message, mark: CacheMark): Message {
  const blocks = blocksOf(message);
  const content = blocks.map((block, index) =>
    index === blocks.length - 1 && (block.type === 'text' || block.type === 'tool_result')
      ? { ...block, cache_control: mark }
      : block,
  );
  return { ...message, content };
}
