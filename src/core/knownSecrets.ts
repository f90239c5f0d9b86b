/** Which variables of an environment are secrets. */

const NAMED = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|^ANTHROPIC_/i;
/** A shorter one is a switch or a word. */
const SHORTEST = 16;

export function isSecretVariable(name: string): boolean {
  return NAMED.test(name);
}

/** Values that nothing else could be: of secret names, long, with digits among their letters. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined &&
    isSecretVariable(name) &&
    value.length >= SHORTEST &&
    /\d/.test(value) &&
    /^[^\s/\\]+$/.test(value)
      ? [value]
      : [],
  );
}
