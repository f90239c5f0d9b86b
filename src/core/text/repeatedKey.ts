/** Finds duplicate names in a JSON object. */
import { closingQuote } from './jsonText.ts';

/**
 * Returns a name that occurs twice in one object of a JSON text, or null. Readers differ in which of the two values they use, so a check might see
 * another value than the later use. The text must be valid JSON.
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
        // The first string of a member is its name; later strings up to the comma are not.
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
