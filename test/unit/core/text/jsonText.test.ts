import { expect, it } from 'vitest';
import { withNumber } from '../../../../src/core/text/jsonText.ts';

it.each([
  ['{"max_tokens":16000,"stream":true}', '{"max_tokens":7,"stream":true}'],
  ['{"a":{"max_tokens":1},"max_tokens" : 2e3 }', '{"a":{"max_tokens":1},"max_tokens" : 7 }'],
  [
    '{"a":[{"max_tokens":1}],"model":"max_tokens","max_tokens":2}',
    '{"a":[{"max_tokens":1}],"model":"max_tokens","max_tokens":7}',
  ],
  ['{"a":"\\"max_tokens\\":1","max_tokens":2}', '{"a":"\\"max_tokens\\":1","max_tokens":7}'],
  ['{"a":"{\\\\","max_tokens":2}', '{"a":"{\\\\","max_tokens":7}'],
  ['{"id":12345678901234567890,"max\\u005ftokens":2}', '{"id":12345678901234567890,"max\\u005ftokens":7}'],
])('replaces only the number of the member: %s', (text, expected) => {
  expect(withNumber(text, 'max_tokens', 7)).toBe(expected);
});

it.each(['{}', '{"max_tokens":"2"}', '{"a":{"max_tokens":2}}', '[1]'])('throws without such a member: %s', (text) => {
  expect(() => withNumber(text, 'max_tokens', 7)).toThrow('no member max_tokens');
});
