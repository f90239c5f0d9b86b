/** Maps the editor's refusal of a request to an error. */
import { type AutonomousError, errnoOf, failure } from '../../shared/errors.ts';

/** An error in the provider's own format, or a failure to throw. */
export type Refusal =
  | { readonly status: number; readonly type: string; readonly message: string }
  | { readonly failure: AutonomousError };

/** By the error's code: the editor names its language model errors by it. Texts of unknown errors are not passed on. */
export function refusalOf(thrown: unknown): Refusal {
  const code = errnoOf(thrown);
  switch (code) {
    case 'NoPermissions':
      return {
        failure: failure('KEY_REFUSED', 'the editor has no permission to use its language model', {
          hint: 'Run "Autonomous: Choose Provider", allow the use of the model, then continue the job.',
          details: { sent: false },
        }),
      };
    case 'Blocked':
      return { status: 429, type: 'rate_limit_error', message: 'the quota of the language model is used up' };
    case 'NotFound':
      return { status: 404, type: 'not_found_error', message: 'the language model is no longer available' };
    default:
      return {
        failure: failure('MODEL_UNAVAILABLE', 'the language model of the editor failed', {
          details: { sent: true, reason: typeof code === 'string' ? code.slice(0, 60) : 'unknown' },
          cause: thrown,
        }),
      };
  }
}
