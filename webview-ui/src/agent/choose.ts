/** Opens the list of agents for a card. */
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { usePage } from '../store/store.ts';

/** Until the agents were checked, the editor checks them and shows its own list. */
export function chooseAgents({ id }: PanelCard): void {
  if (usePage.getState().view?.agents === undefined) post({ kind: 'chooseAgent', featureId: id });
  else usePage.setState({ choosing: { featureId: id } });
}
