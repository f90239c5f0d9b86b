/** A step that another extension carries out, in the owner's process. */
import { z } from 'zod';
import { messageOf } from '../../../shared/errors.ts';
import { type Json, TASK_LIMITS } from '../../../shared/task/tasks.ts';
import { missingAction, type StepActions, type StepOrder, type StepResult } from '../../../shared/task/taskWork.ts';

type CustomOrder = Extract<StepOrder, { readonly kind: 'custom' }>;

/** Characters of what it says when it fails. */
const MOST_SAID = 4_000;

/** Whoever carries it out may not hear the signal: it is not waited for then, and what it gives later counts for nothing. */
export async function customStep(
  actions: StepActions | undefined,
  order: CustomOrder,
  signal: AbortSignal,
): Promise<StepResult> {
  const { action, params, taskId, stepId } = order;
  if (signal.aborted) return { outcome: 'aborted' };
  if (actions?.names().includes(action) !== true) return missing(action);
  const aborted = Promise.withResolvers<'aborted'>();
  const abort = (): void => aborted.resolve('aborted');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const given = await Promise.race([actions.run(action, params, { taskId, stepId, signal }), aborted.promise]);
    if (signal.aborted) return { outcome: 'aborted' };
    return resultOf(action, given);
  } catch (thrown) {
    return signal.aborted ? { outcome: 'aborted' } : failed(messageOf(thrown).slice(0, MOST_SAID));
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const failed = (error: string): StepResult => ({ outcome: 'failed', error, result: null, session: null });

/** Not by itself: it goes on when somebody registers it. */
const missing = (action: string): StepResult => ({
  outcome: 'unavailable',
  code: 'NOT_FOUND',
  detail: missingAction(action),
  hint: 'Install or enable the extension; the task goes on by itself then.',
  wakeAt: null,
  limit: null,
  raiseTo: null,
});

/** Nothing at all counts as null. A copy: whoever gave it may change it later. */
function resultOf(action: string, value: unknown): StepResult {
  const noJson = failed(`${action} gave a result that is no JSON`);
  if (value === undefined) return { outcome: 'completed', result: null, session: null };
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // It holds itself, or numbers that JSON has no word for.
    return noJson;
  }
  if (text === undefined) return noJson;
  // Before it is looked through: that takes longer than writing it.
  if (text.length > TASK_LIMITS.resultBytes) {
    return failed(`${action} gave a result of ${text.length} characters, at most ${TASK_LIMITS.resultBytes} are kept`);
  }
  if (!z.json().safeParse(value).success) return noJson;
  return { outcome: 'completed', result: JSON.parse(text) as Json, session: null };
}
