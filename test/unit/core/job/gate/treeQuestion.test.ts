import { describe, expect, it } from 'vitest';
import { questionAboutTree, type TreeFacts } from '../../../../../src/core/job/gate/treeQuestion.ts';
import { jobOptions } from '../../../../support/state/builders.ts';

const DETACHED = 'no branch is checked out';
const CLEAN: TreeFacts = { dirty: [], untracked: [], objections: [] };
const DIRTY = { ...CLEAN, dirty: ['edited.txt'], untracked: ['new.txt'] };

function question(
  facts: Partial<TreeFacts>,
  mergeMode: 'merge' | 'branch' | 'patch' = 'merge',
  answered: readonly string[] = [],
) {
  const job = { options: jobOptions({ mergeMode }) };
  return questionAboutTree(job, { ...CLEAN, ...facts }, ({ of }) => answered.includes(of));
}

describe('before work starts', () => {
  it('a clean tree, or one with untracked files alone, is no question', () => {
    expect(question({})).toBeNull();
    expect(question({ untracked: ['new.txt'] })).toBeNull();
  });

  it('uncommitted work is asked about once, with its paths', () => {
    const asked = question(DIRTY, 'branch');
    expect(asked).toMatchObject({ kind: 'dirty_tree', detail: 'edited.txt\nnew.txt', choices: ['head', 'snapshot'] });
    expect(question(DIRTY, 'branch', ['dirtyTree'])).toBeNull();
  });

  it('for a merge, the question about uncommitted work states what the merge would be refused for', () => {
    const { kind, detail } = question({ ...DIRTY, objections: [DETACHED] }) ?? {};
    expect(kind).toBe('dirty_tree');
    expect(detail).toContain('commit or stash them before it');
    expect(detail).toContain(`The merge would be refused: ${DETACHED}.`);
  });

  it('a checkout that would refuse the merge is asked about once, for a merge alone', () => {
    const facts = { objections: [DETACHED] };
    expect(question(facts)).toMatchObject({ kind: 'unmergeable', detail: `The merge would be refused: ${DETACHED}.` });
    expect(question(facts, 'branch')).toBeNull();
    expect(question(facts, 'patch')).toBeNull();
    expect(question(facts, 'merge', ['unmergeable'])).toBeNull();
    expect(question({ ...DIRTY, ...facts }, 'merge', ['dirtyTree'])).toBeNull();
  });
});
