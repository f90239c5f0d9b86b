/** Finds names that a JSON object gives twice. */
import { closingQuote } from './jsonText.ts';

/**
 * Returns a name that one object of a JSON text gives twice, or null. Readers differ in which of the two values they use, so what is
 * judged might differ from what is done. The text must be valid JSON.
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
