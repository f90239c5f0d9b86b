/** A step that another extension carries out, in the owner's process. */
import { z } from 'zod';
import { messageOf } from '../../../shared/errors.ts';
import { type Json, TASK_LIMITS } from '../../../shared/task/tasks.ts';
import { missingAction, type StepActions, type StepOrder, type StepResult } from '../../../shared/task/taskWork.ts';

type CustomOrder = Extract<StepOrder, { readonly kind: 'custom' }>;

/** Maximum characters of its error message. */
const MOST_SAID = 4_000;

/** The extension may ignore the signal: it is not waited for then, and its later result is dropped. */
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

/** Has no time: the task continues when an extension registers the action. */
const missing = (action: string): StepResult => ({
  outcome: 'unavailable',
  code: 'NOT_FOUND',
  detail: missingAction(action),
  hint: 'Install or enable the extension; the task then continues automatically.',
  wakeAt: null,
  limit: null,
  raiseTo: null,
});

/** Undefined counts as null. Returns a copy, because the extension may change its value later. */
function resultOf(action: string, value: unknown): StepResult {
  const noJson = failed(`${action} returned a result that is not JSON`);
  if (value === undefined) return { outcome: 'completed', result: null, session: null };
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // The value contains itself, or numbers that JSON cannot represent.
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
