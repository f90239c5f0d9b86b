/** Rules and their uses, as surfaces show them. */

import type { RuleRow } from './rules.ts';

/** A gate that a rule approved. */
export interface RuleUse {
  readonly ruleId: number;
  /** The rule in words. */
  readonly rule: string;
  readonly questionId: number;
  readonly jobId: string | null;
  readonly question: string;
  readonly at: string;
}

/** A rule with its uses, for surfaces. */
export interface RuleView extends Pick<RuleRow, 'id' | 'text' | 'approved'> {
  readonly createdAt: string;
  /** Null while the rule is in force. */
  readonly revokedAt: string | null;
  /** Oldest first. */
  readonly uses: readonly RuleUse[];
}
