/**
 * Removes secrets from texts that will be stored, shown or sent: known ones in any form, and those with a vendor's mark. The placeholder names only
 * the kind of secret.
 */
import { foldedText } from '../text/foldedText.ts';
import { SHORTEST_KNOWN } from './knownSecrets.ts';
import { type Found, formsOf, marked, markedInside, placed } from './secretForms.ts';
import { printed, recognizedPrints } from './secretPrints.ts';

export type WithoutSecrets = (text: string) => string;

/** A marked one has no fewer characters. */
const SHORTEST = 8;
const PLACEHOLDER = /\[secret: [a-z]+\]/;

/**
 * `known` is called each time, because the secrets change. Values shorter than SHORTEST_KNOWN are ignored. Secrets that this thread recognizes are
 * removed too.
 */
export function withoutSecrets(known: () => readonly string[] = () => []): WithoutSecrets {
  const forms = new Map<string, readonly string[]>();
  return (text) => {
    if (text.length < SHORTEST) return text;
    const needles = known().flatMap((secret) => {
      if (secret.length < SHORTEST_KNOWN) return [];
      const made = forms.get(secret) ?? formsOf(secret);
      forms.set(secret, made);
      return made;
    });
    const found = [
      ...marked(text),
      ...placed(text),
      ...markedInside(text),
      ...those(text, needles),
      ...folded(text, needles),
    ];
    return found.length === 0 ? text : replaced(text, found);
  };
}

/** Whether a text contains the placeholder of a secret. Such a text must not be written into a file. */
export function holdsPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

function those(text: string, needles: readonly string[]): Found[] {
  const found = printed(text, recognizedPrints());
  for (const needle of needles) {
    for (let from = text.indexOf(needle); from >= 0; from = text.indexOf(needle, from + needle.length)) {
      found.push({ from, to: from + needle.length, kind: 'known' });
    }
  }
  return found;
}

/** Finds secrets with escapes or invisible characters in between; known ones also across line ends. */
function folded(text: string, needles: readonly string[]): Found[] {
  const read = foldedText(text, false);
  const knows = needles.length > 0 || recognizedPrints().length > 0;
  const one = knows ? foldedText(text, true) : null;
  const at = (place: (from: number, to: number) => readonly [number, number]) => (found: Found) => {
    const [from, to] = place(found.from, found.to);
    return { ...found, from, to };
  };
  return [
    ...(read === null ? [] : marked(read.text).map(at(read.place))),
    ...(one === null ? [] : those(one.text, needles).map(at(one.place))),
  ];
}

function replaced(text: string, found: readonly Found[]): string {
  let result = '';
  let last = 0;
  for (const { from, to, kind } of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= last) continue;
    // The rest of an overlapping match is removed too.
    if (from >= last) result += `${text.slice(last, from)}[secret: ${kind}]`;
    last = to;
  }
  return result + text.slice(last);
}

/** Removes secrets from every text within plain data. `kept` names fields that are not changed. */
export function dataWithoutSecrets<Value>(
  value: Value,
  clean: WithoutSecrets,
  kept: ReadonlySet<string> = NONE,
): Value {
  return cleaned(value, clean, kept) as Value;
}

const NONE: ReadonlySet<string> = new Set();

function cleaned(value: unknown, clean: WithoutSecrets, kept: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) {
    const entries = value.map((entry) => cleaned(entry, clean, kept));
    return entries.every((entry, at) => entry === value[at]) ? value : entries;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, entry]) => [
    name,
    kept.has(name) ? entry : cleaned(entry, clean, kept),
  ]);
  const changed = fields.some(([name, entry]) => (value as Record<string, unknown>)[name as string] !== entry);
  return changed ? Object.fromEntries(fields) : value;
}
