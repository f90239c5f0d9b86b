import { expect, test } from 'vitest';
import { fixTitle } from '../../../../../src/core/job/result/fixTitle.ts';

test.each([
  ['The parser ignores empty lines. See line 12.', 'The parser ignores empty lines'],
  ['\n## The CSV export\n1. …', 'The CSV export'],
  ['- `parse("")` throws: it must return an empty list', '`parse("")` throws'],
  ['Rename it', 'Rename it'],
  ['Use v1.2.3 of the file format', 'Use v1.2.3 of the file format'],
  [
    'The README names a command that does not exist in any of the manifests of this repository',
    'The README names a command that does not exist in any of…',
  ],
])('%j is titled %j', (feedback, title) => {
  expect(fixTitle(feedback)).toBe(title);
});

test('feedback of less than two words has no title', () => {
  for (const feedback of ['', ' \n', '!!!\n---', 'No.']) expect(fixTitle(feedback)).toBeNull();
});
