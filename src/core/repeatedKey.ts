/**
 * A name that one object of a JSON text gives twice; null: none does. Of two values readers take different ones, so what is judged
 * might not be what is done. The text is JSON that can be read.
 */
export function repeatedKey(text: string): string | null {
  /** Names so far of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
      case '[':
        names = text[at] === '{' ? new Set() : null;
        open.push(names);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        names = open.at(-1) ?? null;
        break;
      case '"': {
        const end = closingQuote(text, at);
        // The first string of a member is its name: what follows it, up to the comma, is not.
        if (names !== null) {
          const name = JSON.parse(text.slice(at, end + 1)) as string;
          if (names.has(name)) return name;
          names.add(name);
        }
        names = null;
        at = end;
        break;
      }
      default:
    }
  }
  return null;
}

/** Of the string that opens at `from`. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
}
