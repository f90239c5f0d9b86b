import { post } from '../store/bridge.ts';
import { usePage } from '../store/store.ts';

/** In the project whose board or conversation is shown, if it is one's own. */
export function newBrief(): void {
  const { view, ui } = usePage.getState();
  const shown = ui.tab === 'conversations' ? ui.talk : ui.projectId;
  const known = view?.projects.some(({ name }) => name === shown) === true;
  post(known ? { kind: 'newBrief', project: shown } : { kind: 'newBrief' });
}
