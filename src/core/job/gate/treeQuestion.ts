/** Writes the question to the steward about the user's checkout before work starts. */
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { About } from '../../approval/about.ts';

export interface TreeFacts {
  readonly dirty: readonly string[];
  readonly untracked: readonly string[];
  /** Reasons for which the merge would be refused. */
  readonly objections: readonly string[];
}

type Wording = Pick<ApprovalRow, 'kind' | 'question' | 'detail' | 'choices'> & { readonly about: About };

const DIRTY_TREE: About = { of: 'dirtyTree' };
const UNMERGEABLE: About = { of: 'unmergeable' };

/** Returns null if there is no question, e.g. for untracked files alone. `isAnswered`: the steward approved this question. */
export function questionAboutTree(
  job: Pick<JobRow, 'options'>,
  facts: TreeFacts,
  isAnswered: (about: About) => boolean,
): Wording | null {
  const merges = job.options.mergeMode === 'merge';
  const objections = merges ? facts.objections.map((reason) => `The merge would be refused: ${reason}.`) : [];
  if (facts.dirty.length > 0 && !isAnswered(DIRTY_TREE)) {
    const later = 'The merge is refused as long as these changes are uncommitted: commit or stash them before it.';
    return {
      kind: 'dirty_tree',
      about: DIRTY_TREE,
      question: 'There is uncommitted work. Start from the last commit, or from a snapshot of the tree as it is?',
      detail: [...facts.dirty, ...facts.untracked, ...(merges ? ['', later] : []), ...objections].join('\n'),
      choices: ['head', 'snapshot'],
    };
  }
  if (objections.length === 0 || isAnswered(DIRTY_TREE) || isAnswered(UNMERGEABLE)) return null;
  return {
    kind: 'unmergeable',
    about: UNMERGEABLE,
    question:
      'The result could not be merged into this checkout. Start anyway, and take the result as a branch or a patch?',
    detail: objections.join('\n'),
    choices: [],
  };
}
