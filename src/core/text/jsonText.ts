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
export function withNumber(text: string, name: string, value: number): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    if (character !== '"') continue;
    const end = closingQuote(text, at);
    const number = depth === 1 && JSON.parse(text.slice(at, end + 1)) === name ? numberAfter(text, end + 1) : null;
    if (number !== null) return text.slice(0, number.from) + value + text.slice(number.to);
    at = end;
  }
  throw new Error(`no number ${name} in the object`);
}

/** The place of the number that follows a member's name; null if the string before was a value. */
function numberAfter(text: string, at: number): { readonly from: number; readonly to: number } | null {
  const number = /(\s*:\s*)(-?\d[-+.\deE]*)/y;
  number.lastIndex = at;
  const [, before = '', digits = ''] = number.exec(text) ?? [];
  return digits === '' ? null : { from: at + before.length, to: number.lastIndex };
}
