/** Builds error responses, which all have one shape. */
import { z } from 'zod';
import { dataWithoutSecrets, withoutSecrets } from '../../core/guard/secrets.ts';
import { type AutonomousError, ERROR_TRAITS, type ErrorCode } from '../../shared/errors.ts';

/** Error codes that exist only in HTTP. */
const HTTP_CODES = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'METHOD_NOT_ALLOWED',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY',
] as const;

export const API_CODES = [...(Object.keys(ERROR_TRAITS) as ErrorCode[]), ...HTTP_CODES] as const;
export type ApiCode = (typeof API_CODES)[number];

export const ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503] as const;
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

export const errorSchema = z.object({
  error: z.object({
    code: z.enum(API_CODES),
    message: z.string(),
    hint: z.string().describe('How to fix it; empty if there is no remedy'),
    problems: z.array(z.string()).optional().describe('All that is wrong with the request, one sentence each'),
  }),
});

const clean = withoutSecrets();

export interface Refusal {
  readonly status: ErrorStatus;
  readonly code: ApiCode;
  readonly message: string;
  readonly hint?: string;
  readonly problems?: readonly string[];
}

/** Status of errors that are the fault of neither the request nor the task. */
const STATUS_OF: Partial<Record<ErrorCode, ErrorStatus>> = {
  USAGE: 400,
  INVALID_INPUT: 400,
  SCENARIO_INVALID: 400,
  MODEL_NOT_CHOSEN: 400,
  NOT_FOUND: 404,
  NOT_PERMITTED: 403,
  ILLEGAL_TRANSITION: 409,
  LIMIT_REACHED: 409,
  INTERNAL: 500,
  COMMAND_FAILED: 500,
};

/** A temporary inability of the engine (no owner, a full disk, a foreign state) is 503. */
export function refusalOf(failed: AutonomousError): Refusal {
  const { code, message, hint, details } = failed;
  const problems = details['problems'];
  return {
    status: STATUS_OF[code] ?? 503,
    code,
    message,
    hint,
    ...(Array.isArray(problems) ? { problems: problems.map(String) } : {}),
  };
}

export function errorBody({ code, message, hint = '', problems }: Refusal): z.output<typeof errorSchema> {
  const told = { message, hint, ...(problems === undefined ? {} : { problems: [...problems] }) };
  return { error: { code, ...dataWithoutSecrets(told, clean) } };
}
