/** Days of the ledger: local calendar days, `YYYY-MM-DD`, which compare as text. */

/** A clock that goes back does not reopen a day. */
export function laterDay(a: string, b: string): string {
  if (a.localeCompare(b, 'en') < 0) return b;
  return a;
}
