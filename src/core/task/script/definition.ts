/** Converts a task's rows back into its definition: for display, editing, or a template. */

import type { StepDefinition, TaskDefinition, TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { taskSteps } from '../../state/rows.ts';

export function definitionOf(state: State, task: TaskRow): TaskDefinition {
  return {
    name: task.name,
    description: task.description,
    objective: task.objective,
    estimatedDurationMinutes: task.estimated_duration_minutes ?? undefined,
    completionBehavior: task.completion_behavior,
    notifyOnProgress: task.notify_on_progress,
    progressIntervalMinutes: task.progress_interval_minutes,
    maxParallel: task.max_parallel,
    budgetUsd: task.budget_micro_usd === null ? undefined : task.budget_micro_usd / 1e6,
    provider: task.provider ?? undefined,
    scenario: task.scenario ?? undefined,
    model: task.model ?? undefined,
    steps: taskSteps(state, task).map(stepOf),
  };
}

function stepOf(step: TaskStepRow): StepDefinition {
  return {
    name: step.name,
    action: step.action,
    params: step.params,
    isCheckpoint: step.is_checkpoint,
    onError: step.on_error,
    maxRetries: step.max_retries,
    backoffSeconds: step.backoff_seconds,
    needs: step.needs === null ? undefined : [...step.needs],
    output: step.output ?? undefined,
  };
}
