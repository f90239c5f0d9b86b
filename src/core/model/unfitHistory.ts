/** Recognizes refusals of a provider that a shorter history may resolve. Only their text distinguishes them from other bad requests. */

/** `too_long`: more than the model reads; `thinking_bound`: thinking in it belongs to another history; `image`: one that the model does not take. */
export type Unfit = 'too_long' | 'thinking_bound' | 'image';

const FORMS: readonly (readonly [RegExp, Unfit])[] = [
  [/prompt is too long|input length and .{0,40}exceed context limit|maximum context length is \d/i, 'too_long'],
  // These are the words of OpenAI, Mistral and vLLM, then of llama.cpp and LM Studio, then of Gemini.
  [
    /\bexceeds? (?:the |its )?(?:available |maximum )?context\b|context_length_exceeded|maximum (?:context|model) length/i,
    'too_long',
  ],
  [/greater than the context length|exceed_context_size/i, 'too_long'],
  [/token count .{0,40}exceeds the maximum number of tokens/i, 'too_long'],
  [/signature\W{1,4}in \W?thinking\W{1,4}block|block is bound to a different conversation/i, 'thinking_bound'],
  [/\bimage(?:s|_url)?\b/i, 'image'],
];

/** Classifies an HTTP status and the start of the answer. Returns null for other refusals. */
export function unfitHistory(status: number, text: string): Unfit | null {
  return (status === 400 && FORMS.find(([form]) => form.test(text))?.[1]) || null;
}

const WINDOWS: readonly RegExp[] = [
  /\d tokens > (\d+) maximum/i,
  /\d tokens, .{0,100} takes (\d+)/i,
  /exceed context limit: .{0,40} > (\d+)/i,
  /maximum context length is (\d+) tokens/i,
  /available context size \((\d+) tokens/i,
  /maximum number of tokens allowed \((\d+)\)/i,
  /\bn_ctx (\d+)/i,
];

/** The most tokens of a prompt, as a refusal states it: "… 205123 tokens > 200000 maximum". Null if it does not. */
export function statedWindow(text: string): number | null {
  const stated = WINDOWS.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  const tokens = Number(stated ?? 0);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
}
