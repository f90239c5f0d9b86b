import { describe, expect, it } from 'vitest';
import {
  callKey,
  canonicalJson,
  countRepeat,
  loopVerdict,
  NO_REPEATS,
} from '../../../../src/core/session/loopGuard.ts';

function verdicts(keys: readonly string[]): readonly string[] {
  let repeats = NO_REPEATS;
  return keys.map((key) => {
    repeats = countRepeat(repeats, key);
    return loopVerdict(repeats);
  });
}

describe('the loop guard', () => {
  it('warns from the third equal call in a row and ends at the sixth', () => {
    expect(verdicts(['a', 'a', 'a', 'a', 'a', 'a'])).toEqual(['ok', 'ok', 'warn', 'warn', 'warn', 'end']);
  });

  it('starts again when something else happens', () => {
    expect(verdicts(['a', 'a', 'b', 'a', 'a', 'a'])).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'warn']);
  });

  it('takes arguments in whatever key order, and tells tools and results apart', () => {
    expect(callKey('t', { a: 1, b: { d: [1], c: 2 } }, 'r')).toBe(callKey('t', { b: { c: 2, d: [1] }, a: 1 }, 'r'));
    expect(callKey('t', {}, 'r')).not.toBe(callKey('u', {}, 'r'));
    expect(callKey('t', {}, 'r')).not.toBe(callKey('t', {}, 's'));
    expect(canonicalJson([2, 1])).toBe('[2,1]');
  });
});
