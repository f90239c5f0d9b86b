/** JSON of somebody else. */

export type Fields = Readonly<Record<string, unknown>>;

/** undefined, which no JSON is, where it is none. What the parser complains of would quote the text: it is not kept. */
export function parseJson(text: string): unknown {
  if (!mayBeJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By its ends: of many lines that are none, the parser's complaints would take far longer than a look at each. */
function mayBeJson(text: string): boolean {
  const trimmed = text.trim();
  const [first = '', last = ''] = [trimmed.at(0), trimmed.at(-1)];
  if (first === '{') return last === '}';
  if (first === '[') return last === ']';
  return first === '"' ? last === '"' : /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(trimmed);
}

/** Not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
