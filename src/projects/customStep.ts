/** A step that another extension carries out, in the owner's process. */
import { z } from 'zod';
import { messageOf } from '../shared/errors.ts';
import type { Json } from '../shared/tasks.ts';
import { missingAction, type StepActions, type StepOrder, type StepResult } from '../shared/taskWork.ts';

type CustomOrder = Extract<StepOrder, { readonly kind: 'custom' }>;

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
    const result = jsonOf(given);
    return result === undefined
      ? failed(`${action} gave a result that is no JSON`)
      : { outcome: 'completed', result, session: null };
  } catch (thrown) {
    return signal.aborted ? { outcome: 'aborted' } : failed(messageOf(thrown));
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

/** undefined: it is none. Nothing at all counts as null. A copy: whoever gave it may change it later. */
function jsonOf(value: unknown): Json | undefined {
  if (value === undefined) return null;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // It holds itself, or numbers that JSON has no word for.
    return undefined;
  }
  if (text === undefined || !z.json().safeParse(value).success) return undefined;
  return JSON.parse(text) as Json;
}
