import { describe, expect, it } from 'vitest';
import { approvalOf, commitTextOf, commitUriParts } from '../../../src/host/review/commitUri.ts';

const text = { jobId: 'job-1', commit: 'c0ffee', path: 'src/a b#?.ts', approvalId: 3 };

describe('the address of a text of a commit', () => {
  it('names the text and the question that it is shown for', () => {
    const parts = commitUriParts(text);
    expect(commitTextOf(parts)).toEqual(text);
    expect(approvalOf(parts)).toBe(3);
    expect(approvalOf(commitUriParts({ ...text, approvalId: null }))).toBeNull();
  });

  it('is nothing when it is of another kind, or was typed by hand', () => {
    expect(commitTextOf({ scheme: 'file', path: '/a', query: commitUriParts(text).query })).toBeNull();
    expect(commitTextOf({ ...commitUriParts(text), query: 'jobId=1' })).toBeNull();
    expect(commitTextOf({ ...commitUriParts(text), query: '{"jobId":1,"commit":"c"}' })).toBeNull();
    expect(commitTextOf({ ...commitUriParts(text), query: 'null' })).toBeNull();
  });
});
