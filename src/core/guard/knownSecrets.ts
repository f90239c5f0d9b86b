/** Which variables of an environment are secrets. */

/** A known secret that is shorter is a word or a switch, which would be found in any text. */
export const SHORTEST_KNOWN = 16;

const NAMED = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|^ANTHROPIC_/i;
/** Whether a key cannot be taken out of logs, transcripts and exports: it would be found in any text. */
export const isShortKey = (key: string): boolean => key !== '' && key.length < SHORTEST_KNOWN;

export function isSecretVariable(name: string): boolean {
  return NAMED.test(name);
}

/** Values that are certainly secrets: with secret names, long, with digits among their letters. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined &&
    isSecretVariable(name) &&
    value.length >= SHORTEST_KNOWN &&
    /\d/.test(value) &&
    /^[^\s/\\]+$/.test(value)
      ? [value]
      : [],
  );
}
