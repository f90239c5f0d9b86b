/** Keeps a list with the same items the same object. */
import { useRef } from 'react';

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

/** Returns the previous list if it has the same items, so that dependent values are not recomputed. */
export function useSame<List extends readonly unknown[]>(list: List): List {
  const kept = useRef(list);
  if (!same(kept.current, list)) kept.current = list;
  return kept.current;
}
