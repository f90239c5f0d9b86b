/** Whether the counts that a provider reports can be true of the request that it answered. */
import type { Usage } from '../../../shared/money.ts';
import { inputTokens } from './usage.ts';

/** Certain facts about a request. */
export interface CallBounds {
  readonly model: string;
  /** Tokens that its prompt has at most. */
  readonly inputBound: number;
  readonly maxTokens: number;
}

/** Returns why the counts cannot be true, as text for people, or null if they can. */
export function doubtOf(usage: Usage, { inputBound, maxTokens }: CallBounds): string | null {
  const prompt = inputTokens(usage);
  if (prompt > inputBound) return `${prompt} tokens for a prompt of at most ${inputBound}`;
  if (usage.output > maxTokens) return `${usage.output} tokens for an answer of at most ${maxTokens}`;
  return null;
}
