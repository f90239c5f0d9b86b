import { expect, it } from 'vitest';
import { statedWindow, unfitHistory } from '../../../../src/core/model/unfitHistory.ts';

it.each([
  ['prompt is too long: 205123 tokens > 200000 maximum', 200_000],
  ['prompt is too long: 130000 tokens, GPT 6 (preview) takes 128000', 128_000],
  ['input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000, decrease them', 200_000],
  ["This model's maximum context length is 32768 tokens. However, your messages resulted in 40000 tokens.", 32_768],
  ['prompt is too long', null],
  ['Your input exceeds the context window of this model. Please adjust your input and try again.', null],
  ['the request exceeds the available context size (4096 tokens), try increasing it', 4_096],
  ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
  ['The number of tokens to keep from the initial prompt is greater than the context length', null],
  ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', null],
])('%s', (text, window) => {
  expect(unfitHistory(400, text)).toBe('too_long');
  expect(unfitHistory(413, text)).toBeNull();
  expect(statedWindow(text)).toBe(window);
});

it('states no window for other refusals', () => {
  const bound = 'Invalid `signature` in `thinking` block. The block is bound to a different conversation.';
  expect(unfitHistory(400, bound)).toBe('thinking_bound');
  expect(
    [bound, '', 'a file of 12 tokens > 0 maximum', '9 tokens > 99999999999999999999 maximum'].map(statedWindow),
  ).toEqual([null, null, null, null]);
});
