/** Shown only while there are pending features that no job has: how many, and the button that runs them. */
import type { PanelCard } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { plural, t } from '../store/l10n.ts';
import { Button } from '../ui/Button.tsx';

const run = () => post({ kind: 'runBacklog' });

export function Backlog({ cards }: { readonly cards: readonly PanelCard[] }) {
  const waiting = cards.filter(({ jobId, status }) => jobId === null && status === 'pending').length;
  if (waiting === 0) return null;
  return (
    <div className="backlog">
      <span>
        {plural(waiting, {
          one: '{0} pending feature belongs to no job.',
          other: '{0} pending features belong to no job.',
        })}
      </span>
      <Button label={t('Run Backlog…')} onPress={run} />
    </div>
  );
}
