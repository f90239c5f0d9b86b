/** Fills `{{name}}` in a scenario's strings from the current assignment. */

/** Values by placeholder name. */
export type Facts = Readonly<Record<string, string | number>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const WHOLE = /^\{\{(\w+)\}\}$/;

/**
 * The value with every known placeholder filled, except in keys. A string that is exactly one placeholder takes the
 * fact's type, so that `"{{featureId}}"` becomes a number. Unknown names stay unchanged, because they may be program
 * text.
 */
export function fill<T>(value: T, facts: Facts): T {
  return fillAny(value, facts) as T;
}

function fillAny(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') return fillText(value, facts);
  if (Array.isArray(value)) return value.map((item) => fillAny(item, facts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAny(item, facts)]));
}

function fillText(text: string, facts: Facts): string | number {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined && Object.hasOwn(facts, whole)) return facts[whole] ?? text;
  return text.replace(PLACEHOLDER, (match, name: string) => (Object.hasOwn(facts, name) ? String(facts[name]) : match));
}
