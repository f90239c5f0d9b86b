/** Token counts of an answer as the Messages API reports them: each token once, and what a server does not report stays unknown. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { z } from 'zod';

const Count = z.number().nonnegative().optional().catch(undefined);

/** Counts that the AI SDK drops, by the names of several servers. */
const Raw = z
  .looseObject({
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count,
    cost: Count,
    prompt_tokens_details: z.looseObject({ cached_tokens: Count, cache_write_tokens: Count }).nullish().catch(null),
    promptTokenCount: Count,
    totalTokenCount: Count,
  })
  .catch({});

/** The usage of a `message_delta`. Empty if the server reported none: then the highest possible cost is booked. */
export interface MessagesUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  /** USD, as the server itself states the cost of the call. */
  readonly cost?: number;
}

export function messagesUsage({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): MessagesUsage {
  const seen = Raw.parse(raw ?? {});
  const { total } = inputTokens;
  if (total === undefined || outputTokens.total === undefined) return {};
  const read = Math.min(total, inputTokens.cacheRead ?? seen.prompt_tokens_details?.cached_tokens ?? 0);
  const written = Math.min(total - read, inputTokens.cacheWrite ?? seen.prompt_tokens_details?.cache_write_tokens ?? 0);
  return {
    input_tokens: total - read - written,
    output_tokens: outputOf(outputTokens.total, seen),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    ...(seen.cost === undefined ? {} : { cost: seen.cost }),
  };
}

/** Some servers count reasoning beside the answer: then only their total contains it. */
function outputOf(reported: number, raw: z.infer<typeof Raw>): number {
  const prompt = raw.prompt_tokens ?? raw.promptTokenCount;
  const total = raw.total_tokens ?? raw.totalTokenCount;
  return prompt === undefined || total === undefined ? reported : Math.max(reported, total - prompt);
}
