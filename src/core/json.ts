/** JSON of somebody else. */

export type Fields = Readonly<Record<string, unknown>>;

/** undefined, which no JSON is, where it is none. What the parser complains of would quote the text: it is not kept. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
