/** What the steward is asked about the user's checkout before work starts. */
import type { ApprovalRow } from '../shared/approvals.ts';
import type { JobRow } from '../shared/domain.ts';

export interface TreeFacts {
  readonly dirty: readonly string[];
  readonly untracked: readonly string[];
  /** What the merge would be refused for. */
  readonly objections: readonly string[];
}

type Wording = Pick<ApprovalRow, 'kind' | 'subject' | 'question' | 'detail' | 'choices'>;

/** Kind and subject of the questions about the user's checkout. */
const [DIRTY_TREE, UNMERGEABLE] = ['dirty_tree', 'unmergeable'] as const;

/** Returns null if there is no question, e.g. for untracked files alone. `isAnswered`: the steward approved this subject. */
export function questionAboutTree(
  job: Pick<JobRow, 'options'>,
  facts: TreeFacts,
  isAnswered: (subject: string) => boolean,
): Wording | null {
  const merges = job.options.mergeMode === 'merge';
  const objections = merges ? facts.objections.map((reason) => `The merge would be refused: ${reason}.`) : [];
  if (facts.dirty.length > 0 && !isAnswered(DIRTY_TREE)) {
    const later = 'The merge is refused as long as these changes are uncommitted: commit or stash them before it.';
    return {
      kind: DIRTY_TREE,
      subject: DIRTY_TREE,
      question: 'There is uncommitted work. Start from the last commit, or from a snapshot of the tree as it is?',
      detail: [...facts.dirty, ...facts.untracked, ...(merges ? ['', later] : []), ...objections].join('\n'),
      choices: ['head', 'snapshot'],
    };
  }
  if (objections.length === 0 || isAnswered(DIRTY_TREE) || isAnswered(UNMERGEABLE)) return null;
  return {
    kind: UNMERGEABLE,
    subject: UNMERGEABLE,
    question:
      'The result could not be merged into this checkout. Start anyway, and take the result as a branch or a patch?',
    detail: objections.join('\n'),
    choices: [],
  };
}
