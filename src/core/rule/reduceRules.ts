/** Reduces the events of rules. A use is refused unless the rule is in force and covers the gate. */

import { failure } from '../../shared/errors.ts';
import { newApproval } from '../approval/reduceApprovals.ts';
import type { Reducer } from '../state/reducer.ts';
import { need, needLive, needNew } from '../state/rows.ts';
import { covers } from './covers.ts';

export const ruleReducers = {
  rule_created: (state, event) => {
    needNew(state, 'rules', event.rule.id);
    need(state, 'projects', event.rule.project_id);
    return [{ table: 'rules', put: { ...event.rule, created_at: event.at, revoked_at: null } }];
  },
  rule_revoked: (state, event) => {
    const rule = need(state, 'rules', event.id);
    return rule.revoked_at === null ? [{ table: 'rules', put: { ...rule, revoked_at: event.at } }] : [];
  },
  rule_used: (state, event) => {
    const rule = need(state, 'rules', event.rule_id);
    const { approval, choice } = event;
    needNew(state, 'approvals', approval.id);
    if (approval.job_id !== null) needLive(state, approval.job_id);
    const asked = newApproval(state, approval, event.at);
    if (rule.revoked_at !== null || !covers(rule, asked))
      throw failure('ILLEGAL_TRANSITION', `rule ${rule.id} does not cover question ${approval.id}`);
    const answer = { status: 'approved', choice, decided_by: 'rule', rule_id: rule.id, decided_at: event.at } as const;
    return [{ table: 'approvals', put: { ...asked, ...answer } }];
  },
} satisfies {
  rule_created: Reducer<'rule_created'>;
  rule_revoked: Reducer<'rule_revoked'>;
  rule_used: Reducer<'rule_used'>;
};
