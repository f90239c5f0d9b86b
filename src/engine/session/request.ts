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
export function openingBlocks({ shared, opening }: SessionSpec): readonly BetaContentBlockParam[] {
  return shared === undefined ? [textBlock(opening)] : [textBlock(shared), textBlock(opening)];
}

type CacheMark = BetaCacheControlEphemeral;
const FIVE_MINUTES: CacheMark = { type: 'ephemeral' };
/** Once the cache expired between two requests, it is expected to again. Writing costs more for an hour. */
const ONE_HOUR: CacheMark = { type: 'ephemeral', ttl: '1h' };
/** User messages that carry a mark: the newest, and the one before it, whose prefix the last request wrote. */
const MARKED_MESSAGES = 2;

/** The first request of a session with this spec. */
export function firstRequest(spec: SessionSpec, tools: readonly BetaTool[]): RequestBody {
  return requestBody(spec, tools, withUser([], openingBlocks(spec)));
}

/** Cache marks: behind tools and system, behind what sessions share, two that move with the conversation. The API allows four. */
export function requestBody(
  spec: SessionSpec,
  tools: readonly BetaTool[],
  messages: readonly Message[],
  { cold }: Pick<ConversationUse, 'cold'> = UNUSED,
): RequestBody {
  // All marks of a request have one lifetime: a longer one may not follow a shorter one.
  const mark = cold > 0 ? ONE_HOUR : FIVE_MINUTES;
  return {
    model: spec.model,
    max_tokens: spec.maxTokens,
    system: [{ type: 'text', text: spec.system, cache_control: mark }],
    ...(tools.length > 0 ? { tools } : {}),
    messages: withSharedMark(withCacheMarks(messages, mark), spec.shared, mark),
    ...(spec.temperature === undefined ? {} : { temperature: spec.temperature }),
    ...(spec.effort === undefined ? {} : { output_config: { effort: spec.effort } }),
    stream: true,
  };
}

function withCacheMarks(messages: readonly Message[], mark: CacheMark): readonly Message[] {
  const marked = messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-MARKED_MESSAGES);
  return messages.map((message, index) => (marked.includes(index) ? withMark(message, mark) : message));
}

function withSharedMark(messages: readonly Message[], shared: string | undefined, mark: CacheMark): readonly Message[] {
  const [first, ...rest] = messages;
  if (first === undefined || shared === undefined) return messages;
  const [block, ...others] = blocksOf(first);
  if (block?.type !== 'text' || block.text !== shared) return messages;
  return [{ ...first, content: [{ ...block, cache_control: mark }, ...others] }, ...rest];
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
