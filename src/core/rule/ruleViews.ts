/** What surfaces show of rules: those in force or revoked, with every use, and those that are offered. */

import type { RuleUse, RuleView } from '../../shared/rule/ruleViews.ts';
import type { State } from '../../shared/workspace/state.ts';

/** Approvals by the rules, by job or by rule, oldest first. */
export function ruleUses(state: State, of: { readonly jobId?: string; readonly ruleId?: number }): RuleUse[] {
  return [...state.approvals.values()].flatMap((row) => {
    const rule = row.rule_id === null ? undefined : state.rules.get(row.rule_id);
    if (rule === undefined || (of.jobId !== undefined && row.job_id !== of.jobId)) return [];
    if (of.ruleId !== undefined && rule.id !== of.ruleId) return [];
    const { id: questionId, job_id: jobId, question, decided_at } = row;
    return [{ ruleId: rule.id, rule: rule.text, questionId, jobId, question, at: decided_at ?? row.requested_at }];
  });
}

/** Newest first. */
export function ruleViews(state: State): RuleView[] {
  return [...state.rules.values()]
    .sort((a, b) => b.id - a.id)
    .map((row) => ({
      id: row.id,
      text: row.text,
      approved: row.approved,
      createdAt: row.created_at,
      revokedAt: row.revoked_at,
      uses: ruleUses(state, { ruleId: row.id }),
    }));
}
