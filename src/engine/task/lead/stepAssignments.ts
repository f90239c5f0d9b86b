/** Converts a running step to the assignment for its worker. References are already filled in. */

import { isBuiltIn } from '../../../core/task/script/params.ts';
import { modelWithEffort } from '../../../shared/model/effort.ts';
import type { SessionEnd, SessionRow } from '../../../shared/session.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { StepOrder } from '../../../shared/task/taskWork.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { retryPrompt, type StepFacts, stepSystem } from '../../session/prompts/task.ts';
import type { RunnerPorts } from '../ports.ts';
import { fillAny, fillStep, type OfTask } from './fillStep.ts';
import { type Found, SUMMARY_SYSTEM, SUMMARY_TOKENS, summaryPrompt } from './summaries.ts';

export const isCustom = (action: string): boolean => !isBuiltIn(action);

/** Default of a step. */
const ANSWER_TOKENS = 8_192;

/** The model that was chosen nearest to the step. */
function modelOf({ store, models }: RunnerPorts, task: TaskRow): string {
  return modelWithEffort(task.model ?? store.state.projects.get(task.project_id)?.model ?? models.task).model;
}

type StepRole = Extract<SessionRow['role'], 'task' | 'summarizer'>;

/** The step's session that is still open. */
function openSession(state: State, taskId: string, stepId: number, role: StepRole): SessionRow | undefined {
  for (const row of state.sessions.values()) {
    if (row.status === 'running' && row.task_id === taskId && row.step_id === stepId && row.role === role) return row;
  }
  return undefined;
}

/** The end of a session whose answer is no longer needed. */
export function givenUp(state: State, step: TaskStepRow, role: StepRole, why: string): SessionEnd | null {
  const open = openSession(state, step.task_id, step.id, role);
  return open === undefined ? null : { id: open.id, status: 'failed', error_message: why, turns: open.turns };
}

/** Throws INVALID_INPUT. */
export async function assignmentOf(ports: RunnerPorts, of: OfTask, step: TaskStepRow): Promise<StepOrder> {
  const { task } = of;
  const about = { taskId: task.id, projectId: task.project_id, stepId: step.id, sessionId: null };
  switch (step.action) {
    case 'llm_generate': {
      const { prompt, systemPrompt, maxTokens, temperature } = await fillStep(ports, of, step, 'llm_generate');
      // An interrupted attempt does not invalidate the result before it.
      const isRetry = step.tries > 0 && step.crashes === 0 && step.error !== null;
      return {
        ...about,
        sessionId: openSession(ports.store.state, task.id, step.id, 'task')?.id ?? null,
        kind: 'generate',
        role: 'task',
        model: modelOf(ports, task),
        system: stepSystem(systemPrompt ?? null, factsOf(task, step)),
        prompt: isRetry ? retryPrompt(prompt, step.error, failedResult(step)) : prompt,
        maxTokens: maxTokens ?? ANSWER_TOKENS,
        temperature: temperature ?? null,
      };
    }
    case 'command': {
      const { command, timeoutSeconds, network } = await fillStep(ports, of, step, 'command');
      return {
        ...about,
        kind: 'command',
        command,
        timeoutMs: timeoutSeconds * 1_000,
        network,
        cloneDir: task.clone_dir,
      };
    }
    case 'http_get': {
      const { url, headers, maxBytes, timeoutSeconds, as } = await fillStep(ports, of, step, 'http_get');
      return {
        ...about,
        kind: 'http_get',
        url,
        headers: headers ?? {},
        maxBytes,
        timeoutMs: timeoutSeconds * 1_000,
        as,
      };
    }
    default:
      if (!isCustom(step.action)) throw new Error(`${step.action} is not carried out outside`);
      return { ...about, kind: 'custom', action: step.action, params: await fillAny(ports, of, step) };
  }
}

const factsOf = (task: TaskRow, step: TaskStepRow): StepFacts => ({
  task: task.name,
  objective: task.objective,
  step: step.name,
  summary: task.last_checkpoint_summary,
  output: step.output,
});

const failedResult = ({ result }: TaskStepRow): string | null => (typeof result === 'string' ? result : null);

/** `step`: whose checkpoint it is, or the task's last one. */
export function summaryAssignment(
  ports: RunnerPorts,
  task: TaskRow,
  step: TaskStepRow,
  found: readonly Found[],
  isWhole: boolean,
): StepOrder {
  return {
    kind: 'generate',
    role: 'summarizer',
    taskId: task.id,
    projectId: task.project_id,
    stepId: step.id,
    sessionId: openSession(ports.store.state, task.id, step.id, 'summarizer')?.id ?? null,
    model: ports.models.summarizer,
    system: SUMMARY_SYSTEM,
    prompt: summaryPrompt(task, found, isWhole),
    maxTokens: SUMMARY_TOKENS,
    temperature: null,
  };
}
