/** Judges a fault case by what was sent, what came back, the event log and the bill; knows nothing of how the gateway does it. */
import type { SessionResult } from '../../../src/engine/session/ports.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import type { Account } from './faultCase.ts';
import type { Exchange } from './faultServer.ts';
import { isAnswered, retryAfterMs } from './mishaps.ts';

/** What an attempt may end for when its provider misbehaves. */
const REASONS = ['truncated', 'context_full', 'refusal', 'unknown_stop', 'no_report'];
/** Failures on which the work waits, or a person is asked. */
const WAITS = ['MODEL_UNAVAILABLE', 'MODEL_STREAM_BROKEN'];
const ASKS = ['KEY_REFUSED', 'NO_CREDIT', 'MODEL_REQUEST_REFUSED'];

/** The promises that the case breaks, each in a line; none: all hold. */
export function broken(account: Account): string[] {
  if (account.hung !== null) return [`hangs: ${account.hung}`];
  return [
    ...brokenTypes(account),
    ...brokenTools(account),
    ...brokenAnswer(account),
    ...brokenWaits(account),
    ...brokenMoney(account),
  ];
}

function brokenTypes({ results, beganAt }: Account): string[] {
  const faults = results.flatMap((result, life) => {
    if (result.outcome === 'answered') return [];
    if (result.outcome === 'ended')
      return REASONS.includes(result.reason) ? [] : [`ended for ${result.reason}: ${result.detail}`];
    if (result.outcome === 'aborted') return ['aborted by itself'];
    const { code, wakeAt } = result;
    if (ASKS.includes(code)) return wakeAt === null ? [] : [`${code} wakes by itself`];
    if (!WAITS.includes(code)) return [`unavailable for ${code}`];
    if (wakeAt === null) return [`${code} never wakes`];
    return Date.parse(wakeAt) > (beganAt[life] ?? 0) ? [] : [`${code} wakes in the past`];
  });
  const last = results.at(-1)?.outcome;
  return last === 'answered' || last === 'ended' ? faults : [...faults, `the end is ${last}`];
}

/** The answer is whole, and says itself that its calls are to be run. */
function calls({ whole, answer }: Exchange): boolean {
  return whole && answer?.stopReason === 'tool_use';
}

function callsIn({ answer }: Exchange) {
  return (answer?.blocks ?? []).filter((block) => block.type === 'tool_use');
}

/** Each call of a whole answer once, in its order, and no other. */
function brokenTools({ exchanges, commands, entries }: Account): string[] {
  const wanted = exchanges
    .filter(calls)
    .flatMap(callsIn)
    .filter(({ name }) => name === 'bash')
    .map(({ input }) => (input as { command: string }).command);
  const faults = JSON.stringify(wanted) === JSON.stringify(commands) ? [] : [`ran ${commands}, not ${wanted}`];
  const held = new Set(
    exchanges
      .filter((exchange) => !calls(exchange))
      .flatMap(callsIn)
      .map(({ id }) => id),
  );
  for (const entry of entries) {
    if (entry.kind !== 'results') continue;
    const { content } = entry.message as { content: { type: string; tool_use_id?: string; is_error?: boolean }[] };
    const ids = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id ?? ''] : []));
    if (new Set(ids).size < ids.length) faults.push(`two results for one call: ${ids}`);
    for (const block of content)
      if (block.type === 'tool_result' && block.is_error !== true && held.has(block.tool_use_id ?? ''))
        faults.push(`${block.tool_use_id} ran, of an answer that does not count`);
  }
  return faults;
}

/** Taken from a whole answer that says that it is complete; and each answer that was paid is heard once. */
function brokenAnswer({ role, exchanges, results, entries }: Account): string[] {
  const heard = entries.filter(({ kind }) => kind === 'reply').length;
  const whole = exchanges.filter((exchange) => exchange.whole).length;
  const faults = heard === whole ? [] : [`${whole} whole answers came, ${heard} were heard`];
  const answered = results.find((result) => result.outcome === 'answered');
  if (answered === undefined) return faults;
  const named = Number(/answer (\d+)/.exec(JSON.stringify(answered.answer))?.[1]);
  const from = exchanges.find(({ request }) => request === named);
  if (from === undefined || !from.whole) return [...faults, `answered from ${named}, which is not whole`];
  const counts = role === 'summarizer' ? ['end_turn', 'stop_sequence', 'tool_use'] : ['tool_use'];
  if (counts.includes(from.answer?.stopReason ?? '')) return faults;
  return [...faults, `answered from ${named}, which ended with ${from.answer?.stopReason}`];
}

/** Nobody comes back before the provider allows it, and no session is told to. */
function brokenWaits({ exchanges, results, beganAt }: Account): string[] {
  return exchanges.flatMap(({ mishap, sentAt, request }, index) => {
    const allowed = sentAt + retryAfterMs(mishap);
    const next = exchanges[index + 1];
    if (next !== undefined && next.sentAt < allowed) return [`request ${request + 1} came before its Retry-After`];
    const life = beganAt.findLastIndex((at) => at <= sentAt);
    const result: SessionResult | undefined = next === undefined ? results[life] : undefined;
    if (result?.outcome !== 'unavailable' || result.wakeAt === null) return [];
    return Date.parse(result.wakeAt) < allowed ? [`wakes before the Retry-After of request ${request}`] : [];
  });
}

interface Booked {
  /** The most that is held for it. */
  reserved: number;
  status: 'reserved' | 'settled' | 'released' | 'unsettled';
  micro: number;
}

/** The ledger as the event log has it, beside the bill: a row for each request, in their order. */
function brokenMoney({ exchanges, events, listed }: Account): string[] {
  const { rows, most, corrected } = ledgerOf(events);
  const faults =
    rows.length === exchanges.length ? [] : [`${rows.length} reservations for ${exchanges.length} requests`];
  if (most > 1) faults.push(`${most} reservations for one call`);
  const open = exchanges.flatMap((exchange, index) => {
    const row = rows[index];
    if (row === undefined) return [];
    faults.push(...brokenRow(exchange, row));
    return row.status === 'unsettled' ? [index + 1] : [];
  });
  const ids = listed.map(({ id }) => id);
  if (JSON.stringify(ids) !== JSON.stringify(open)) faults.push(`${ids} are listed as perhaps billed, not ${open}`);
  const bill = exchanges.reduce((sum, exchange) => sum + exchange.bill, 0);
  if (corrected !== bill) faults.push(`the ledger comes to ${corrected}, the bill to ${bill}`);
  return faults;
}

function brokenRow(exchange: Exchange, row: Booked): string[] {
  const { request, bill, whole, mishap } = exchange;
  const wanted = whole ? 'settled' : isAnswered(mishap) || mishap?.at === 'request' ? 'unsettled' : 'released';
  const faults = row.status === wanted ? [] : [`request ${request} is ${row.status}, not ${wanted}`];
  if (row.reserved < bill) faults.push(`request ${request} was reserved at ${row.reserved}, billed at ${bill}`);
  if (row.status === 'settled' && row.micro !== bill)
    faults.push(`request ${request} cost ${bill}, booked ${row.micro}`);
  return faults;
}

/** `corrected`: with the steward's corrections, which come last. */
function ledgerOf(events: readonly Event[]) {
  const rows = new Map<number, Booked>();
  const corrections = new Map<number, number>();
  let most = 0;
  for (const event of events) {
    if (event.type === 'call_reserved') rows.set(event.id, { reserved: event.micro_usd, status: 'reserved', micro: 0 });
    if (event.type === 'call_adjusted') corrections.set(event.id, event.micro_usd);
    const row = 'id' in event && typeof event.id === 'number' ? rows.get(event.id) : undefined;
    if (row !== undefined) book(row, event);
    most = Math.max(most, [...rows.values()].filter(({ status }) => status === 'reserved').length);
  }
  let corrected = 0;
  for (const [id, row] of rows) corrected += corrections.get(id) ?? (row.status === 'settled' ? row.micro : 0);
  return { rows: [...rows.values()], most, corrected };
}

function book(row: Booked, event: Event): void {
  if (event.type === 'call_settled') {
    row.status = 'settled';
    row.micro = event.micro_usd;
  }
  if (event.type === 'call_released') row.status = 'released';
  if (event.type === 'call_unsettled') {
    row.status = 'unsettled';
    row.reserved = event.micro_usd ?? row.reserved;
  }
}
