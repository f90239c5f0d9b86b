/** Opens the list of agents for a card. */
import type { PanelCard } from '../../../src/shared/panelView.ts';
import { post } from '../bridge.ts';
import { usePage } from '../store.ts';

/** While nobody has looked which agents there are, the editor does, and asks with a list of its own. */
export function chooseAgents({ id }: PanelCard): void {
  if (usePage.getState().view?.agents === undefined) post({ kind: 'chooseAgent', featureId: id });
  else usePage.setState({ choosing: { featureId: id } });
}
