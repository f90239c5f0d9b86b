import { BoardPage } from './board/BoardPage.tsx';
import { Loading } from './Loading.tsx';
import { Sidebar } from './sidebar/Sidebar.tsx';
import { usePage } from './store.ts';

/** `sidebar` is the narrow view of the activity bar, `board` the editor tab. */
export function App({ place }: { readonly place: 'sidebar' | 'board' }) {
  const view = usePage((page) => page.view);
  if (view === null) return <Loading />;
  return place === 'sidebar' ? <Sidebar view={view} /> : <BoardPage view={view} />;
}
