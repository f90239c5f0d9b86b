/** Builds the steps of the selected task. */

import type { Spent } from '../../../shared/money.ts';
import type { PanelStep, PanelStepTexts } from '../../../shared/task/taskPanel.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { Waiting } from '../../../shared/waiting.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import { taskStandsStill } from '../../job/view/jobStatus.ts';
import { shortened } from '../../job/view/panelCards.ts';
import { isSameSpent, spentOf } from '../../money/view/spent.ts';
import { graphOf, type TaskGraph } from '../script/graph.ts';
import type { TaskFacts } from './taskFacts.ts';

interface Parts {
  readonly row: TaskStepRow;
  readonly graph: TaskGraph;
  readonly spent: Spent;
  readonly questionId: number | null;
  readonly waiting: Waiting | null;
  readonly still: boolean;
}

function stepView({ row, graph, spent, questionId, waiting, still }: Parts): PanelStep {
  const branch = graph.branches[row.number - 1] ?? null;
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    action: row.action,
    status: row.status,
    ...(still ? { still } : {}),
    isCheckpoint: row.is_checkpoint,
    tries: row.tries,
    wakeAt: row.wake_at,
    questionId,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    ...spent,
    after: (graph.needs[row.number - 1] ?? []).map((position) => position + 1),
    branch: branch === null ? null : { of: branch.of + 1, when: branch.when },
    error: shortened(row.error),
    waiting: waiting === null ? null : { ...waiting, reason: shortened(waiting.reason) ?? '' },
  };
}

/** An unchanged step stays the same object. */
export function stepMaker(): (
  task: TaskRow,
  rows: readonly TaskStepRow[],
  facts: TaskFacts,
  atWork: AtWork,
) => PanelStep[] {
  const made = new WeakMap<TaskStepRow, { readonly parts: Parts; readonly view: PanelStep }>();
  return (task, rows, facts, atWork) => {
    const graph = graphOf(task, rows);
    const asked = new Set(facts.questions.get(task.id)?.map(({ id }) => id));
    const taskStill = taskStandsStill({ status: task.status, questions: asked.size }, atWork);
    return rows.map((row) => {
      const { approval_id } = row;
      const questionId = approval_id !== null && asked.has(approval_id) ? approval_id : null;
      const still = taskStill && (row.status === 'RUNNING' || row.wake_at !== null);
      // The wait may change with a job of the step.
      const waiting = facts.waits.step(row);
      const parts = { row, graph, spent: spentOf(facts.stepSums.get(row.id)), questionId, waiting, still };
      const before = made.get(row);
      const isSame =
        before !== undefined &&
        before.parts.graph === graph &&
        isSameSpent(before.parts.spent, parts.spent) &&
        before.parts.questionId === questionId &&
        before.parts.still === still &&
        JSON.stringify(before.parts.waiting) === JSON.stringify(waiting);
      if (isSame) return before.view;
      const view = stepView(parts);
      made.set(row, { parts, view });
      return view;
    });
  };
}

export function stepTexts(row: TaskStepRow): PanelStepTexts {
  return {
    id: row.id,
    params: row.params as PanelStepTexts['params'],
    result: row.result as PanelStepTexts['result'],
    resultBytes: row.result_bytes,
    error: row.error,
    onError: row.on_error,
    maxRetries: row.max_retries,
    backoffSeconds: row.backoff_seconds,
    jobId: row.job_id,
    sessionId: row.session_id,
  };
}
