import { expect, it } from 'vitest';
import { titleOf } from '../../../../../src/engine/job/requests/brief.ts';

it.each([
  ['Do it.\nSoon.', 'Do it.'],
  ['\r\nDo it.\r\nSoon.\r\n', 'Do it.'],
  ['x'.repeat(81), `${'x'.repeat(79)}…`],
])('the title of a brief is its first line: %j', (brief, title) => expect(titleOf(brief)).toBe(title));
