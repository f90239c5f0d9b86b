import { useRef } from 'react';

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

/** The list of before while it has the same items, so that what depends on it is not made anew. */
export function useSame<List extends readonly unknown[]>(list: List): List {
  const kept = useRef(list);
  if (!same(kept.current, list)) kept.current = list;
  return kept.current;
}
