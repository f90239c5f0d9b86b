/** Amounts, times and counts as people read them. */
import type { Clock } from '../../shared/clock.ts';

/** `$12.34`; below a dollar to the hundredth of a cent. */
export function dollars(usd: number): string {
  const amount = Math.abs(usd);
  return `${usd < 0 ? '-' : ''}$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}

/** For calls without a price, formats the reported cost. */
export function cost(usd: number, unpriced: boolean): string {
  if (!unpriced) return dollars(usd);
  return usd === 0 ? 'not priced' : `${dollars(usd)} as reported`;
}

export function dollarsOrNone(usd: number | null): string {
  return usd === null ? 'none' : dollars(usd);
}

/** `42s`, `3m 05s`, `2h 07m`, `3d 04h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h ${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** `1 feature`, `3 features`. */
export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}

/** `12k`, `3.4M`: token counts. */
export function tokens(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Local calendar day, `YYYY-MM-DD`, as the ledger counts days. */
export function localDay(clock: Clock): string {
  return dayOf(new Date(clock.now()));
}

/** A moment in local time: `14:05`, with its day when that is not today. */
export function moment(iso: string, clock: Clock): string {
  const at = new Date(iso);
  const time = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
  const day = dayOf(at);
  return day === localDay(clock) ? time : `${day} ${time}`;
}

function dayOf(at: Date): string {
  const month = String(at.getMonth() + 1).padStart(2, '0');
  return `${at.getFullYear()}-${month}-${String(at.getDate()).padStart(2, '0')}`;
}
