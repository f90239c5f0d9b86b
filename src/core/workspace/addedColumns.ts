/** Tables and columns that exports of older versions lack, with the values that such rows have. */
import type { TableName, Tables } from '../../shared/workspace/state.ts';

/** An export of an older version has no file of these, and no row. */
export const ADDED_TABLES: readonly TableName[] = ['rules'];

const ADDED: { readonly [T in TableName]?: Partial<Tables[T]> } = {
  projects: { wait: null, after: null, ended_turn: null },
  messages: { reply_to: null, main_read_at: null },
  jobs: {
    wait: null,
    machine: null,
    setup_ran: null,
    setup_added: [],
    setup_gap: null,
    setup_removed: null,
    baseline_checks: null,
    result_failed: [],
    base_merges: [],
    result_checks: null,
    result_passed: null,
  },
  features: { verify_commands: [], paths: [] },
  attempts: { todo: [], route: null, lane: null, queued_at: null, returns: [], periods: [] },
  sessions: { reviews: null, periods: [] },
  notes: { created_by: null },
  spends: { conversation: null },
  approvals: { rule_id: null, facts: null },
  tasks: { wait: null },
  task_steps: { wait: null },
};

export const withAdded = <Row extends object>(table: TableName, row: Row): Row => ({ ...ADDED[table], ...row });
