/** The name of the agent that works on a feature, as a tag. */
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { Icon } from '../ui/Icon.tsx';
import { agentTitle } from './agentFacts.ts';

/** Names the agents of a card, unless the built-in agent works alone. */
export function AgentTag({ card: { executors, tried } }: { readonly card: PanelCard }) {
  // One string, because the snapshot's list is a new object each time.
  const names = usePage(({ view }) => executors.map((name) => agentTitle(view?.agents, name)).join(', '));
  if (executors.length === 0) return null;
  const says = executors.length === 1 ? names : t('{0} of {1} agents', tried, executors.length);
  return (
    <span className="agent-tag">
      <Icon name="hubot" />
      <span className="unseen">{t('Agent')} </span>
      <span className="one-line" title={names}>
        {says}
      </span>
    </span>
  );
}
