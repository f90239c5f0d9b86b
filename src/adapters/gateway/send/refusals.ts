/** Maps HTTP errors of a provider to failures. */
import { isPassing } from '../../../core/model/backoff.ts';
import { statedWindow, unfitHistory } from '../../../core/model/unfitHistory.ts';
import { type AutonomousError, failure } from '../../../shared/errors.ts';

export type HttpRefusal =
  | { readonly passing: true; readonly reason: string }
  | { readonly passing: false; readonly failure: AutonomousError };

/**
 * Providers report this with 400, 402 or 429, so the text decides. Each match stays within one sentence: without that
 * bound, a long line would be searched again from each of its words.
 */
const NO_MONEY =
  /credit balance|billing_error|spend(ing)? limit|usage limits?\b.{0,200}?\b(reached|exceeded)|reached your .{0,200}?usage limit/i;

/** `body` is the start of the answer, without secrets. */
export function judgeHttpError(status: number, body: string): HttpRefusal {
  const message = explanationIn(body);
  const details = { status };
  const said = `HTTP ${status}: ${message}`;
  if (status === 402 || (status >= 400 && status < 500 && NO_MONEY.test(body))) {
    return final(
      failure('NO_CREDIT', `the provider reports no credit (${said})`, {
        hint: 'Add credit or raise the spend limit at the provider, then continue the job.',
        details,
      }),
    );
  }
  if (status === 401 || status === 403) {
    const hint =
      status === 401
        ? 'Set a valid API key that may use this model, then continue the job.'
        : 'The key may lack a permission, or the server wants a header of the connection. Correct it, then continue the job.';
    return final(failure('KEY_REFUSED', `the provider refused the API key (${said})`, { hint, details }));
  }
  if (isPassing(status)) return { passing: true, reason: said };
  const unfit = unfitHistory(status, body);
  return final(
    failure('MODEL_REQUEST_REFUSED', `the provider refused the request (${said})`, {
      details: unfit === null ? details : { ...details, unfit, window: statedWindow(body) },
    }),
  );
}

function final(refusal: AutonomousError): HttpRefusal {
  return { passing: false, failure: refusal };
}

/** What the body of an error says, in one short line. */
export function explanationIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { type?: unknown; message?: unknown } };
    if (typeof error?.message === 'string') return printable(`${String(error.type ?? 'error')}: ${error.message}`);
  } catch {
    // Not JSON: for instance a proxy's page.
    return printable(body);
  }
  return printable(body);
}

/** One short line without control characters. */
function printable(text: string): string {
  return (
    text
      .replace(/[\s\p{C}]+/gu, ' ')
      .trim()
      .slice(0, 300) || 'no explanation'
  );
}
