/** Works on the text of a JSON object where parsing and writing it again would change other bytes of it. */

/** Index of the quote that closes the string that opens at `from`. */
export function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
}

/** Replaces the number of a top-level member in the text. Throws if the object has no such member. */
export const withNumber = (text: string, name: string, value: number): string =>
  withValue(text, name, /(\s*:\s*)(-?\d[-+.\deE]*)/y, String(value));

/** Replaces the string of a top-level member in the text. Throws if the object has no such member. */
export const withString = (text: string, name: string, value: string): string =>
  withValue(text, name, /(\s*:\s*)("(?:[^"\\]|\\.)*")/y, JSON.stringify(value));

function withValue(text: string, name: string, value: RegExp, next: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    if (character !== '"') continue;
    const end = closingQuote(text, at);
    const found = depth === 1 && JSON.parse(text.slice(at, end + 1)) === name ? placeAfter(text, end + 1, value) : null;
    if (found !== null) return text.slice(0, found.from) + next + text.slice(found.to);
    at = end;
  }
  throw new Error(`no member ${name} of this kind in the object`);
}

/** The place of the value that follows a member's name; null if the string before was a value. */
function placeAfter(text: string, at: number, value: RegExp): { readonly from: number; readonly to: number } | null {
  value.lastIndex = at;
  const [, before = '', found = ''] = value.exec(text) ?? [];
  return found === '' ? null : { from: at + before.length, to: value.lastIndex };
}
