/** Converts a definition, as people and programs write it, into the content of events. */
import type { NewStep, NewTask } from '../../../shared/task/taskEvents.ts';
import type { StepDefinition, TaskDefinition } from '../../../shared/task/tasks.ts';

type Made = Pick<NewTask, 'id' | 'project_id' | 'template' | 'created_by'>;

export function newTask(definition: TaskDefinition, made: Made): NewTask {
  return {
    ...made,
    name: definition.name,
    description: definition.description,
    objective: definition.objective,
    estimated_duration_minutes: definition.estimatedDurationMinutes ?? null,
    completion_behavior: definition.completionBehavior,
    notify_on_progress: definition.notifyOnProgress,
    progress_interval_minutes: definition.progressIntervalMinutes,
    max_parallel: definition.maxParallel,
    budget_micro_usd: definition.budgetUsd === undefined ? null : Math.round(definition.budgetUsd * 1e6),
    provider: definition.provider ?? null,
    scenario: definition.scenario ?? null,
    model: definition.model ?? null,
  };
}

/** `ids`: as many as there are steps. */
export function newSteps(definitions: readonly StepDefinition[], ids: readonly number[]): NewStep[] {
  return definitions.map((step, index) => {
    const id = ids[index];
    if (id === undefined) throw new Error('there are fewer ids than steps');
    return {
      id,
      name: step.name,
      action: step.action,
      params: step.params,
      is_checkpoint: step.isCheckpoint,
      on_error: step.onError,
      max_retries: step.maxRetries,
      backoff_seconds: step.backoffSeconds,
      needs: step.needs ?? null,
      output: step.output ?? null,
    };
  });
}
