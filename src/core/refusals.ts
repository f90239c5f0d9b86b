/** What a no to a question does to its job. Work is thrown away by a person's `cancel` alone: where a job could go on later, it is paused. */
import type { ApprovalRow, Refusal } from '../shared/approvals.ts';

type Asked = Pick<ApprovalRow, 'kind' | 'subject' | 'job_id' | 'feature_id'>;

/** What every surface says before and after; `nextAction` does it. */
export function refusalOf({ kind, subject, job_id, feature_id }: Asked): Refusal {
  if (job_id === null) return null;
  switch (kind) {
    case 'limit':
    case 'conflict':
    case 'dirty_tree':
      return 'pauses';
    case 'provider':
      return 'ends';
    case 'setup':
      return subject === 'setup_failed' ? 'ends' : null;
    case 'escalate':
      return subject.startsWith('planner:') ? 'ends' : null;
    // A verify command of a phase or of the result.
    case 'stuck':
      return feature_id === null && subject.startsWith('command:') ? 'pauses' : null;
    case 'crashes':
      return feature_id === null ? 'ends' : null;
    default:
      return null;
  }
}
