/** One attempt of one request: sends it, checks the answer, and makes sure that it is booked. */
import { z } from 'zod';
import { printed } from '../../../core/guard/secretPrints.ts';
import { retryAfterMs } from '../../../core/model/backoff.ts';
import { isOwnConnection, isSameModel } from '../../../core/model/modelName.ts';
import { doubtOf } from '../../../core/model/usage/plausibleUsage.ts';
import { inputTokens } from '../../../core/model/usage/usage.ts';
import type { KeptAnswer, ModelReply, ModelRequest, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { AutonomousError, asFailure, failure } from '../../../shared/errors.ts';
import type { Reservation } from '../door/admission.ts';
import type { Begun } from '../door/callCost.ts';
import { type Bill, BrokenAnswer, billOfMessage } from './answer.ts';
import { Connection, type Patience, readBody } from './connection.ts';
import { book, meter } from './meter.ts';
import { judgeHttpError } from './refusals.ts';
import type { MessageRequest, PassedRequest } from './request.ts';

/** The call may succeed later. `shared`: the cause affects every call. */
export interface Again {
  readonly reason: string;
  readonly retryAfterMs: number | null;
  readonly shared: boolean;
}

export type Outcome =
  | { readonly again: Again }
  /** `ended` as in `Metered`: the attempt ends only when it resolves. */
  | { readonly reply: ModelReply; readonly ended: Promise<AutonomousError | null> };

export interface Exchange {
  readonly clock: Clock;
  readonly provider: Provider;
  readonly call: PassedRequest;
  readonly money: Reservation;
  /** Creates the failure of an answer that broke off. */
  readonly broken: (cause: BrokenAnswer) => AutonomousError;
  /** Called with a whole answer before it is booked. Never rejects. */
  readonly keep: (answer: KeptAnswer) => Promise<void>;
  /** Logs an answer whose bill cannot be true. */
  readonly problem: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Pings count as data. */
const STREAM_IDLE_MS = 90_000;
/** An unstreamed answer sends no data until it is complete. */
const WHOLE_IDLE_MS = 600_000;
const COUNT: Patience = { idleMs: 20_000, totalMs: 60_000 };
/** Time limit of a whole answer: the prompt, and five tokens a second, which is slower than any model. */
const PROMPT_MS = 600_000;
const TOKEN_MS = 200;
/** How much longer than its limit an answer with its reasoning may be. */
const REASONING_FACTOR = 20;
/** A gateway of the user reports its own fault with these, also after the server behind it has answered and billed. */
const BEHIND: readonly number[] = [408, 500, 502, 504, 520, 521, 522, 523, 524];
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

/** No other header reaches a provider: no credential, no cookie, no length of another encoding. */
const FORWARDED = /^(accept|content-type|user-agent|anthropic-(version|beta)|x-stainless-.*)$/;
const RETURNED = /^(content-type|request-id|anthropic-.*|x-autonomous-.*)$/;

/** Free calls are not booked. */
export const FREE: Reservation = {
  maxTokens: 0,
  settle: () => Promise.resolve(),
  release: () => Promise.resolve(),
  unsettle: () => Promise.resolve(),
};

/** Books the call, except if the answer streams: then `ended` books it. Throws final failures. */
export async function exchange(options: Exchange): Promise<Outcome> {
  const { call, provider, clock, signal } = options;
  const streams = call.kind === 'message' && call.stream;
  const connection = new Connection(clock, patienceWith(provider, call, streams), signal);
  let reply: ModelReply;
  try {
    reply = await provider.send(forwarded(call.request), connection.signal);
    connection.heard();
  } catch (thrown) {
    connection.close();
    return sendFailed(thrown, connection, options);
  }
  if (reply.status !== 200) return refused(reply, connection, options);
  if (!streams) return whole(reply, connection, options);
  const after = (ms: number, run: () => void) => clock.timer(ms, run);
  const keep = (text: string) => keepOf(reply, text, options.keep);
  const { money, broken } = options;
  const believed = (bill: Bill): Bill => believedOf(bill, options);
  const begun = (bill: Bill): Begun | null => begunOf(bill, options);
  const { body, ended } = meter(reply.body, { connection, money, after, broken, keep, believed, begun });
  return { reply: passedOn(reply, body), ended };
}

function patienceWith({ answersWithinMs, checks }: Provider, call: PassedRequest, streams: boolean): Patience {
  if (answersWithinMs !== undefined) return { idleMs: answersWithinMs, totalMs: answersWithinMs };
  const totalMs = PROMPT_MS + TOKEN_MS * (call.kind === 'message' ? call.maxTokens : 0);
  // Servers of the user's connections may send nothing while they read a long prompt or while their model reasons.
  const isPatient = !streams || checks !== undefined;
  return { idleMs: isPatient ? WHOLE_IDLE_MS : STREAM_IDLE_MS, totalMs };
}

async function sendFailed(thrown: unknown, connection: Connection, { money }: Exchange): Promise<Outcome> {
  const failed = thrown instanceof AutonomousError ? thrown : null;
  const left = failed?.details['sent'];
  if (connection.late !== null) {
    await money.unsettle('no answer in time');
    return { again: { reason: 'no answer in time', retryAfterMs: null, shared: true } };
  }
  if (connection.signal.aborted) {
    await (left === false ? money.release('aborted before it left') : money.unsettle('aborted'));
    throw failure('ABORTED', 'the call was aborted');
  }
  if (failed === null) {
    await money.unsettle('the provider failed inside');
    throw asFailure(thrown);
  }
  const mayBeBilled = failed.code === 'MODEL_UNAVAILABLE' ? left !== false : left === true;
  await (mayBeBilled ? money.unsettle(failed.message) : money.release(failed.message));
  if (failed.code !== 'MODEL_UNAVAILABLE') throw failed;
  return { again: { reason: failed.message, retryAfterMs: null, shared: true } };
}

/** Errors are not billed. */
async function refused(reply: ModelReply, connection: Connection, options: Exchange): Promise<Outcome> {
  const { money, clock, provider } = options;
  let body = '';
  try {
    body = await readBody(reply.body, connection, MAX_ERROR_BYTES);
  } catch {
    body = 'the explanation was cut off';
  }
  connection.close();
  const judged = judgeHttpError(reply.status, body);
  const why = judged.passing ? judged.reason : judged.failure.message;
  if (provider.checks !== undefined && BEHIND.includes(reply.status)) await money.unsettle(why);
  else await money.release(why);
  if (!judged.passing) throw judged.failure;
  const shared = reply.status !== 408 && reply.status !== 409;
  return { again: { reason: judged.reason, retryAfterMs: retryAfterMs(reply.headers, clock.now()), shared } };
}

/** An unstreamed answer, booked before the caller sees it. */
async function whole(reply: ModelReply, connection: Connection, options: Exchange): Promise<Outcome> {
  const { call, money, broken, keep, signal } = options;
  let text: string;
  try {
    text = await readBody(reply.body, connection, MAX_WHOLE_BYTES);
    if (call.kind === 'message') {
      const bill = billOfMessage(text);
      await keepOf(reply, text, keep);
      await book(money, believedOf(bill, options));
    }
  } catch (thrown) {
    if (thrown instanceof AutonomousError) throw thrown;
    if (signal.aborted) {
      await money.unsettle('aborted');
      throw failure('ABORTED', 'the call was aborted');
    }
    const lost = new BrokenAnswer(connection.late ?? 'cut', 'the connection was lost in the middle of the answer');
    const cause = thrown instanceof BrokenAnswer ? thrown : lost;
    await money.unsettle(`${cause.reason}: ${cause.message}`);
    throw broken(cause);
  } finally {
    connection.close();
  }
  const body = new Blob([text]).stream();
  return { reply: passedOn(reply, body), ended: Promise.resolve(null) };
}

/**
 * A count that cannot be true of the request is replaced by its upper bound. The log gives the reason why a sum differs
 * from the provider's.
 */
function believedOf(bill: Bill, { call, provider, problem }: Exchange): Bill {
  if (!('usage' in bill) || call.kind !== 'message') return bill;
  const tell = (what: string): void => problem(`${provider.name}, ${call.model}: ${what}`);
  const isOwn = isOwnConnection(provider.name);
  if (isOwn && (inputTokens(bill.usage) === 0 || bill.usage.output === 0)) return { unclear: 'no usage reported' };
  // Some servers do not count reasoning against the limit of an answer.
  const doubt = doubtOf(bill.usage, isOwn ? { ...call, maxTokens: call.maxTokens * REASONING_FACTOR } : call);
  if (doubt !== null) {
    tell(`an answer reports ${doubt}, which is impossible: its highest possible cost is counted`);
    return { unclear: `implausible: ${doubt}` };
  }
  if (bill.fell !== null) tell(`an answer reports ${bill.fell}: the larger count is booked`);
  const other = otherModel(call, bill);
  if (other !== null)
    tell(
      `${JSON.stringify(other)} answered: the more expensive of the two is booked, or the whole reservation if it has no price`,
    );
  return { ...bill, model: other };
}

/** The reported prompt of a broken-off answer; null if the report is missing or cannot be true. */
function begunOf(bill: Bill, { call }: Exchange): Begun | null {
  if (!('usage' in bill) || call.kind !== 'message') return null;
  const prompt = { ...bill.usage, output: 0 };
  if (doubtOf(prompt, call) !== null) return null;
  return { prompt, answered: otherModel(call, bill) };
}

const otherModel = ({ model }: MessageRequest, bill: Bill & { readonly model: string | null }): string | null =>
  bill.model !== null && !isSameModel(model, bill.model) ? bill.model : null;

/** An answer that quotes a secret is not kept: after a crash, the call is repeated. */
async function keepOf(reply: ModelReply, text: string, keep: Exchange['keep']): Promise<void> {
  if (printed(text, reply.secrets ?? []).length === 0) await keep({ type: typeOf(reply), text });
}

const passedOn = ({ headers, secrets = [] }: ModelReply, body: ModelReply['body']): ModelReply => ({
  status: 200,
  headers: pick(headers, RETURNED),
  body,
  secrets,
});

const Counted = z.looseObject({ input_tokens: z.int().nonnegative() });

/** The length of the prompt by the provider's own count; null if it reports none. Free. */
export async function countTokens(
  call: MessageRequest,
  { clock, provider, signal }: Pick<Exchange, 'clock' | 'provider' | 'signal'>,
): Promise<number | null> {
  const connection = new Connection(clock, COUNT, signal);
  const path = call.request.path.replace('/v1/messages', '/v1/messages/count_tokens');
  try {
    const reply = await provider.send(forwarded({ ...call.request, path, body: call.countBody }), connection.signal);
    const text = await readBody(reply.body, connection, MAX_ERROR_BYTES);
    const counted = Counted.safeParse(reply.status === 200 ? JSON.parse(text) : null);
    return counted.success ? counted.data.input_tokens : null;
  } catch {
    // Best effort: without a count the local bound holds.
    return null;
  } finally {
    connection.close();
  }
}

function typeOf({ headers }: ModelReply): string {
  return headers['content-type'] ?? 'application/json';
}

function forwarded(request: ModelRequest): ModelRequest {
  return { ...request, headers: pick(request.headers, FORWARDED) };
}

function pick(headers: Readonly<Record<string, string>>, names: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.test(name)));
}
