/** The requests of a session. The first one has the same bytes for the session and for a preview. */
import type {
  BetaContentBlockParam,
  BetaTextBlockParam,
  BetaTool,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
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

const EPHEMERAL = { type: 'ephemeral' } as const;
/** User messages that carry a mark: the newest, and the one before it, whose prefix the last request wrote. */
const MARKED_MESSAGES = 2;

/** The first request of a session with this spec. */
export function firstRequest(spec: SessionSpec, tools: readonly BetaTool[]): RequestBody {
  return requestBody(spec, tools, withUser([], openingBlocks(spec)));
}

/** Cache marks: behind tools and system, behind what sessions share, two that move with the conversation. The API allows four. */
export function requestBody(spec: SessionSpec, tools: readonly BetaTool[], messages: readonly Message[]): RequestBody {
  return {
    model: spec.model,
    max_tokens: spec.maxTokens,
    system: [{ type: 'text', text: spec.system, cache_control: EPHEMERAL }],
    ...(tools.length > 0 ? { tools } : {}),
    messages: withSharedMark(withCacheMarks(messages), spec.shared),
    ...(spec.temperature === undefined ? {} : { temperature: spec.temperature }),
    ...(spec.effort === undefined ? {} : { output_config: { effort: spec.effort } }),
    stream: true,
  };
}

function withCacheMarks(messages: readonly Message[]): readonly Message[] {
  const marked = messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-MARKED_MESSAGES);
  return messages.map((message, index) => (marked.includes(index) ? withMark(message) : message));
}

function withSharedMark(messages: readonly Message[], shared: string | undefined): readonly Message[] {
  const [first, ...rest] = messages;
  if (first === undefined || shared === undefined) return messages;
  const [block, ...others] = blocksOf(first);
  if (block?.type !== 'text' || block.text !== shared) return messages;
  return [{ ...first, content: [{ ...block, cache_control: EPHEMERAL }, ...others] }, ...rest];
}

function withMark(message: Message): Message {
  const blocks = blocksOf(message);
  const content = blocks.map((block, index) =>
    index === blocks.length - 1 && (block.type === 'text' || block.type === 'tool_result')
      ? { ...block, cache_control: EPHEMERAL }
      : block,
  );
  return { ...message, content };
}
