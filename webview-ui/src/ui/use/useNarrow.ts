/** Whether the page is too narrow for the board and the details of a card beside each other. */
import { useSyncExternalStore } from 'react';

const query = window.matchMedia('(max-width: 760px)');

function follow(tell: () => void): () => void {
  query.addEventListener('change', tell);
  return () => query.removeEventListener('change', tell);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(follow, () => query.matches);
}
