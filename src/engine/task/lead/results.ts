/** Converts the result of a step to its end: checked, bounded, and stored in the row or in a file. */
import { dataWithoutSecrets, withoutSecrets } from '../../../core/guard/secrets.ts';
import { meetSchema } from '../../../core/task/script/output.ts';
import { failure } from '../../../shared/errors.ts';
import { isNestedDeeper } from '../../../shared/jsonDepth.ts';
import type { NewMessage } from '../../../shared/project/projects.ts';
import type { SessionEnd } from '../../../shared/session.ts';
import type { StepEnd } from '../../../shared/task/taskEvents.ts';
import { type Json, TASK_LIMITS, type TaskStepRow } from '../../../shared/task/tasks.ts';
import type { ResultFiles } from '../ports.ts';

const clean = withoutSecrets();
const DAY_MS = 24 * 60 * 60_000;
/** Times in a row that what carries it out may die. */
const MOST_CRASHES = 5;

/** The end of a step, with the message to people in the same event. */
export interface Ended {
  readonly end: StepEnd;
  readonly message: NewMessage | null;
}

type Failed = Extract<StepEnd, { outcome: 'failed' }>;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The delay doubles each time. Null if there is no further retry. */
function retryAt(step: TaskStepRow, nowMs: number): string | null {
  if (step.on_error !== 'retry' || step.tries >= step.max_retries) return null;
  const wait = Math.min(step.backoff_seconds * 1_000 * 2 ** step.tries, DAY_MS);
  return new Date(nowMs + wait).toISOString();
}

/** An error occurs in rows, messages and the log: of a long one its start and its end are kept. */
const MOST_SAID = 4_000;

function shortened(error: string): string {
  if (error.length <= MOST_SAID) return error;
  const half = MOST_SAID / 2;
  return `${error.slice(0, half)}\n[…${error.length - MOST_SAID} characters…]\n${error.slice(-half)}`;
}

export interface FailedTry {
  readonly error: string;
  readonly result?: Json;
  readonly session?: SessionEnd | null;
}

export function failedEnd(
  step: TaskStepRow,
  { error, result = null, session = null }: FailedTry,
  nowMs: number,
): Failed {
  const isShort = bytesOf(JSON.stringify(result)) <= TASK_LIMITS.inlineBytes;
  const kept = { result: isShort ? result : null, session };
  return { step_id: step.id, outcome: 'failed', error: shortened(error), ...kept, retryAt: retryAt(step, nowMs) };
}

/** Uses no retry, but a step that dies five times in a row is not started again. */
export function interruptedEnd(step: TaskStepRow, cause: string, givenUp: (why: string) => SessionEnd | null): StepEnd {
  const error = shortened(cause);
  if (step.crashes + 1 < MOST_CRASHES) return { step_id: step.id, outcome: 'interrupted', error, session: null };
  const said = `what carried it out died ${MOST_CRASHES} times in a row: ${error}`;
  return { step_id: step.id, outcome: 'failed', error: said, result: null, session: givenUp(said), retryAt: null };
}

/** Returns its bytes. Throws INVALID_INPUT if there are too many. */
function needRoom(text: string): number {
  const bytes = bytesOf(text);
  if (bytes <= TASK_LIMITS.resultBytes) return bytes;
  const most = TASK_LIMITS.resultBytes.toLocaleString('en');
  throw failure('INVALID_INPUT', `its result has ${bytes.toLocaleString('en')} bytes, at most ${most} are kept`);
}

/** Throws INVALID_INPUT for a result that cannot be stored, DISK if it cannot be written. */
export async function completedEnd(
  files: ResultFiles,
  step: TaskStepRow,
  gave: Json,
  session: SessionEnd | null,
): Promise<StepEnd> {
  const asGiven = JSON.stringify(gave);
  // Checked before the search for secrets, which takes seconds for a huge text.
  needRoom(asGiven);
  if (isNestedDeeper(asGiven, TASK_LIMITS.resultDepth)) {
    throw failure('INVALID_INPUT', `its result is nested deeper than ${TASK_LIMITS.resultDepth} times`);
  }
  const given = dataWithoutSecrets(gave, clean);
  const met = step.output === null ? { ok: true as const, result: given } : meetSchema(step.output, given);
  if (!met.ok) throw failure('INVALID_INPUT', met.error);
  const { result } = met;
  const text = JSON.stringify(result);
  const bytes = needRoom(text);
  const end = { step_id: step.id, outcome: 'completed', bytes, session } as const;
  if (bytes <= TASK_LIMITS.inlineBytes) return { ...end, result, artifact: null };
  return { ...end, result: null, artifact: await files.put(text) };
}

/** A rejected text, for the prompt of the retry. Null if the result is not a text, or too long for a row. */
export function refusedText(result: Json): string | null {
  return typeof result === 'string' && bytesOf(result) <= TASK_LIMITS.inlineBytes ? clean(result) : null;
}

/** The result of a step. Null if it has none. Throws if its file is missing. */
export async function resultOf(files: ResultFiles, step: TaskStepRow): Promise<Json> {
  if (step.status !== 'COMPLETED') return null;
  if (step.result_artifact === null) return step.result;
  const text = await files.get(step.result_artifact);
  if (text !== null) return JSON.parse(text) as Json;
  throw failure(
    'NOT_FOUND',
    `the result of the step "${step.name}" is missing or was altered: ${step.result_artifact}`,
  );
}
