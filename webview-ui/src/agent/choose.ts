/** Opens the list of agents for a card. */
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { usePage } from '../store/store.ts';

/** While nobody has looked which agents there are, the editor does, and asks with a list of its own. */
export function chooseAgents({ id }: PanelCard): void {
  if (usePage.getState().view?.agents === undefined) post({ kind: 'chooseAgent', featureId: id });
  else usePage.setState({ choosing: { featureId: id } });
}
