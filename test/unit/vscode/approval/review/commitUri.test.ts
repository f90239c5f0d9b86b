import { describe, expect, it } from 'vitest';
import { commitTextOf, commitUriParts, questionAt } from '../../../../../src/vscode/approval/review/commitUri.ts';
import { approvalRow, jobRow, stateOf } from '../../../../support/state/builders.ts';

const text = { jobId: 'job-1', commit: 'c0ffee', path: 'src/a b#?.ts', approvalId: 3 };

describe('the address of a text of a commit', () => {
  it('names the text and the question that it is shown for', () => {
    const parts = commitUriParts(text);
    expect(commitTextOf(parts)).toEqual(text);
  });

  it('names a question of its own job and commits alone', () => {
    const approval = approvalRow({ id: 3, commit: 'c0ffee' });
    const state = stateOf({ jobs: [jobRow({ id: 'job-1', baseline: 'ba5e' })], approvals: [approval] });
    const at = (patch: Partial<typeof text | { approvalId: null }>) =>
      questionAt(state, commitUriParts({ ...text, ...patch }));
    expect(at({})).toBe(approval);
    expect(at({ commit: 'ba5e' })).toBe(approval);
    expect(at({ approvalId: null })).toBeNull();
    expect(at({ approvalId: 4 })).toBeNull();
    expect(at({ jobId: 'job-2' })).toBeNull();
    expect(at({ commit: 'beef' })).toBeNull();
  });

  it('is nothing when it is of another kind, or was typed by hand', () => {
    expect(commitTextOf({ scheme: 'file', path: '/a', query: commitUriParts(text).query })).toBeNull();
    expect(commitTextOf({ ...commitUriParts(text), query: 'jobId=1' })).toBeNull();
    expect(commitTextOf({ ...commitUriParts(text), query: '{"jobId":1,"commit":"c"}' })).toBeNull();
    expect(commitTextOf({ ...commitUriParts(text), query: 'null' })).toBeNull();
  });
});
