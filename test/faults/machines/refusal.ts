const REFUSALS: readonly unknown[] = ['ILLEGAL_TRANSITION', 'NOT_FOUND'];

/** What the reducer may throw. By code: a bundled one has classes of its own. */
export function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && REFUSALS.includes(thrown.code);
}
