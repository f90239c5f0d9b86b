/** Shows the sidebar or the board. */
import { usePage } from './store/store.ts';
import { BoardPage } from './workspace/BoardPage.tsx';
import { Loading } from './workspace/Loading.tsx';
import { Sidebar } from './workspace/Sidebar.tsx';

/** `sidebar` is the narrow view of the activity bar, `board` the editor tab. */
export function App({ place }: { readonly place: 'sidebar' | 'board' }) {
  const view = usePage((page) => page.view);
  if (view === null) return <Loading />;
  return place === 'sidebar' ? <Sidebar view={view} /> : <BoardPage view={view} />;
}
