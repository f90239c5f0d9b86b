/** Starts a new brief in the editor, in the project that is shown. */
import { post } from '../store/bridge.ts';
import { usePage } from '../store/store.ts';

/** Files it in the project whose board or conversation is shown, unless that is the main agent's. */
export function newBrief(): void {
  const { view, ui } = usePage.getState();
  const shown = ui.tab === 'conversations' ? ui.talk : ui.projectId;
  const known = view?.projects.some(({ name }) => name === shown) === true;
  post(known ? { kind: 'newBrief', project: shown } : { kind: 'newBrief' });
}
