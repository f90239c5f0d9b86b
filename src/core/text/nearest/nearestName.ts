/** Finds the name that a mistyped one most likely meant. */
import { likeness } from './nearestText.ts';

/** Names that are less alike are others. */
const ALIKE = 0.6;

/** Null if none is alike. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const [best] = names
    .map((name) => ({ name, score: likeness(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score);
  return best?.name ?? null;
}
