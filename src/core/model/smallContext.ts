/** How sessions fit into a small context window, such as that of a model on a laptop. */

/** Tokens. A smaller window gets shorter facts about the repository and fewer tools. */
const LEAST_ROOMY = 40_000;
/** Part of a window that one answer may take. Some servers refuse a prompt whose longest answer does not fit beside it. */
const ANSWER = 1 / 4;
/** Tokens. An answer needs room for a call of a tool, whatever a window is stated to be. */
const LEAST_ANSWER = 1_000;

/** `window`: tokens; null if it is not known. */
export const isSmallContext = (window: number | null): boolean => window !== null && window < LEAST_ROOMY;

/** `max_tokens` of a call. */
export const answerWithin = (maxTokens: number, window: number | null): number =>
  window === null ? maxTokens : Math.min(maxTokens, Math.max(LEAST_ANSWER, Math.floor(window * ANSWER)));
