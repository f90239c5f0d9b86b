import { expect, it } from 'vitest';
import { minuteText } from '../../../src/shared/clock.ts';

it('writes a time in UTC to the minute, and leaves anything else as it is', () => {
  expect(minuteText('2026-11-24T09:41:51.123Z')).toBe('2026-11-24 09:41');
  for (const text of ['2026-11-24T09:41:51+01:00', 'soon', '']) expect(minuteText(text)).toBe(text);
});
