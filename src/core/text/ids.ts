/** Ids as people and agents type them. */

/** An id of a row: digits only, so that `5abc`, `-1` and `1e3` name nothing; null when it is none. */
export function idOf(text: string): number | null {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id < 1 ? null : id;
}
