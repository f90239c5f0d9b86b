/** Parses JSON of unknown origin. */

export type Fields = Readonly<Record<string, unknown>>;

/** Returns undefined if the text is not JSON. The parser's message is dropped, because it would quote the text. */
export function parseJson(text: string): unknown {
  if (!mayBeJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks the ends of the text first: for many lines that are not JSON, creating the parser's errors takes far longer. */
function mayBeJson(text: string): boolean {
  const trimmed = text.trim();
  const [first = '', last = ''] = [trimmed.at(0), trimmed.at(-1)];
  if (first === '{') return last === '}';
  if (first === '[') return last === ']';
  return first === '"' ? last === '"' : /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(trimmed);
}

/** Returns false for a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
