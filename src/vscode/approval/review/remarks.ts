/** Remarks written in a review that is not answered yet: local to this window, kept until the answer is sent. */
import type { Remark } from '../../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { HostContext } from '../../window/context.ts';

export interface Remarks {
  of(asked: ApprovalRow): readonly Remark[];
  /** The answer went out. */
  clear(asked: ApprovalRow): void;
  /** Called by the review with the source of its remarks. */
  attach(source: Pick<Remarks, 'of' | 'clear'>): void;
}

const byContext = new WeakMap<HostContext, Remarks>();

/** One for each context: the review writes them, the rejection reads them. */
export function remarksOf(context: HostContext): Remarks {
  const known = byContext.get(context);
  if (known !== undefined) return known;
  let from: Pick<Remarks, 'of' | 'clear'> | null = null;
  const remarks: Remarks = {
    of: (asked) => from?.of(asked) ?? [],
    clear: (asked) => from?.clear(asked),
    attach: (source) => {
      from = source;
    },
  };
  byContext.set(context, remarks);
  return remarks;
}
