/**
 * Failures: typed by a code, never by a message or a class, since classes do not survive a thread boundary.
 * Outcomes (verdicts, limits reached, merge conflicts, refusals) are values and live in the domain types.
 */

/** Where a failure is shown, whether a retry may help, and the exit code of a terminal verb that ends with it. */
interface Traits {
  readonly show: 'steward' | 'log';
  readonly retry: boolean;
  readonly exit: 1 | 2 | 75;
}

const usage = { show: 'steward', retry: false, exit: 2 } as const;
const fatal = { show: 'steward', retry: false, exit: 1 } as const;
const passing = { show: 'steward', retry: true, exit: 75 } as const;
const internal = { show: 'log', retry: false, exit: 1 } as const;

export const ERROR_TRAITS = {
  // what the user asked
  USAGE: usage,
  BRIEF_EMPTY: usage,
  BRIEF_TOO_LARGE: usage,
  NOT_FOUND: usage,
  INVALID_INPUT: usage,
  NOT_PERMITTED: fatal,
  // the machine and the repository
  GIT_MISSING: fatal,
  GIT_FAILED: fatal,
  NOT_A_REPOSITORY: usage,
  REPOSITORY_UNSUPPORTED: usage,
  CLONE_MISSING: fatal,
  NODE_TOO_OLD: fatal,
  SANDBOX_UNAVAILABLE: fatal,
  /** Found by the check before filing; its details contain each problem. */
  NOT_READY: usage,
  COMMAND_FAILED: internal,
  // the state
  STATE_FOREIGN: fatal,
  STATE_NEWER: fatal,
  STATE_DAMAGED: fatal,
  STATE_INCOMPLETE: fatal,
  STATE_SYMLINK: fatal,
  DISK: passing,
  OWNER_LOST: passing,
  OWNER_BUSY: passing,
  OWNER_UNREACHABLE: passing,
  ILLEGAL_TRANSITION: fatal,
  // the model
  KEY_MISSING: fatal,
  KEY_REFUSED: fatal,
  NO_CREDIT: fatal,
  MODEL_NOT_CHOSEN: usage,
  MODEL_UNPRICED: fatal,
  MODEL_REQUEST_REFUSED: fatal,
  MODEL_UNAVAILABLE: passing,
  MODEL_STREAM_BROKEN: passing,
  LIMIT_REACHED: fatal,
  // an agent that the user installed
  AGENT_MISSING: fatal,
  AGENT_LOGIN: fatal,
  AGENT_VERSION: fatal,
  AGENT_UNUSABLE: fatal,
  AGENT_DIED: passing,
  AGENT_SILENT: passing,
  AGENT_FLOOD: fatal,
  SCENARIO_INVALID: usage,
  SCENARIO_EXHAUSTED: fatal,
  // ourselves
  ABORTED: internal,
  WORKER_DIED: passing,
  INTERNAL: internal,
} as const satisfies Record<string, Traits>;

export type ErrorCode = keyof typeof ERROR_TRAITS;

/** Reasons why the model cannot be used that only a person can change: the session stays open, and its job asks the steward. */
export const MODEL_REFUSALS: readonly ErrorCode[] = [
  'KEY_MISSING',
  'KEY_REFUSED',
  'NO_CREDIT',
  'MODEL_UNPRICED',
  'MODEL_REQUEST_REFUSED',
  'SCENARIO_INVALID',
  'SCENARIO_EXHAUSTED',
];

/** An agent's process ended or fell silent in mid-turn: a crash, which uses no retry. */
export const AGENT_CRASHES: readonly ErrorCode[] = ['AGENT_DIED', 'AGENT_SILENT'];

/** JSON-safe facts about a failure: paths, ids, status codes. Never secrets. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export class AutonomousError extends Error {
  override readonly name = 'AutonomousError';
  readonly code: ErrorCode;
  /** A fix that the user can apply, in one sentence. Empty if there is none. */
  readonly hint: string;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, hint: string, details: ErrorDetails, cause: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    this.details = details;
  }

  get traits(): Traits {
    return ERROR_TRAITS[this.code];
  }
}

interface FailureOptions {
  readonly hint?: string;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** Creates a failure. All code uses it: `throw failure('GIT_FAILED', 'git fetch ended with 128', { hint, details, cause })`. */
export function failure(code: ErrorCode, message: string, options: FailureOptions = {}): AutonomousError {
  return new AutonomousError(code, message, options.hint ?? '', options.details ?? {}, options.cause);
}

/** A failure as plain data, for a thread or process boundary. */
export interface PlainFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details: ErrorDetails;
}

/** The system's error code for a failure of files, processes or sockets, e.g. `ENOENT`. Returns undefined for other failures. */
export const errnoOf = (thrown: unknown): unknown =>
  thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;

/** Returns the message of any thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Converts any thrown value to a failure. Other errors become `INTERNAL` and keep their cause. */
export function asFailure(thrown: unknown): AutonomousError {
  if (thrown instanceof AutonomousError) return thrown;
  return failure('INTERNAL', messageOf(thrown), { cause: thrown });
}

export function toPlain(thrown: unknown): PlainFailure {
  const { code, message, hint, details } = asFailure(thrown);
  return { code, message, hint, details };
}

export function fromPlain(plain: PlainFailure): AutonomousError {
  return failure(plain.code, plain.message, { hint: plain.hint, details: plain.details });
}

/** Finds the failure with this code in the chain of causes: libraries wrap errors that callbacks throw. */
export function findFailure(thrown: unknown): AutonomousError | undefined {
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof AutonomousError) return at;
  }
  return undefined;
}
