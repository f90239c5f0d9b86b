/** Ids as people and agents type them. */

/** Parses an id of a row: digits only, so that `5abc`, `-1` and `1e3` are invalid. Returns null if the text is not an id. */
export function idOf(text: string): number | null {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return id < 1 ? null : id;
}
