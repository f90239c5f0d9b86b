/** Draws the dependencies between features. Each node names them in words too, and links to its feature. */
import { useMemo } from 'react';
import { drawnGraph } from '../../../../src/core/task/view/taskGraph.ts';
import type { PanelPlanFeature } from '../../../../src/shared/job/planView.ts';
import { t } from '../../store/l10n.ts';
import { Drawing } from '../../ui/Drawing.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { visible } from '../../ui/text/format.ts';
import { laneLabel } from '../../ui/text/labels.ts';
import { placeText } from '../card/placeFacts.ts';
import { LANES } from '../lanes.ts';

export const featurePlace = (number: number) => `plan-feature-${number}`;

export function goToFeature(number: number): void {
  const place = document.getElementById(featurePlace(number));
  place?.scrollIntoView({ block: 'start' });
  place?.focus();
}

const isWorkedOn = ({ now }: PanelPlanFeature): boolean => now?.lane === 'in_progress';

/** The features that depend on another, their dependencies, and those that are worked on. */
function related(features: readonly PanelPlanFeature[]): readonly PanelPlanFeature[] {
  const needed = new Set(features.flatMap(({ dependsOn }) => dependsOn));
  if (needed.size === 0) return [];
  return features.filter((one) => one.dependsOn.length > 0 || needed.has(one.name) || isWorkedOn(one));
}

export function Dependencies({ features }: { readonly features: readonly PanelPlanFeature[] }) {
  const drawn = useMemo(() => {
    const numbers = new Map(features.map(({ name, number }) => [name, number]));
    const steps = related(features).map(({ number, dependsOn }) => ({
      number,
      after: dependsOn.flatMap((name) => numbers.get(name) ?? []),
    }));
    return steps.length === 0 ? 'none' : drawnGraph(steps);
  }, [features]);
  const byNumber = new Map(features.map((feature) => [feature.number, feature]));
  return (
    <section className="plan-graph">
      <h3>{t('Dependencies')}</h3>
      {drawn === 'none' ? (
        <p className="muted">{t('No feature depends on another.')}</p>
      ) : drawn === null ? (
        <p className="muted">{t('There are too many features to draw. Each feature names what it depends on.')}</p>
      ) : (
        <Drawing
          graph={drawn}
          label={t('Features that depend on each other')}
          node={(number) => {
            const feature = byNumber.get(number);
            return feature === undefined ? null : <Node feature={feature} />;
          }}
        />
      )}
    </section>
  );
}

/** What the node shows about the work. Null before it begins. */
function workText({ now }: PanelPlanFeature): string | null {
  if (now === null || now.lane === 'pending') return null;
  return now.place === null ? laneLabel(now.lane) : placeText(now.place);
}

function Node({ feature }: { readonly feature: PanelPlanFeature }) {
  const { number, name, dependsOn, now } = feature;
  const text = workText(feature);
  const look = LANES.find(({ lane }) => lane === now?.lane);
  return (
    <button
      type="button"
      className={`plan-node${text === null ? '' : ` plan-node-${now?.lane}`}`}
      title={[visible(name), ...(text === null ? [] : [text])].join('\n')}
      onClick={() => goToFeature(number)}
    >
      {text === null || look === undefined ? null : <Icon name={look.icon} spin={look.icon === 'loading'} />}
      <span className="plan-node-name">{visible(name)}</span>
      {text === null ? null : <span className="unseen">{text}</span>}
      {dependsOn.length === 0 ? null : (
        <span className="unseen">{t('Depends on {0}', visible(dependsOn.join(', ')))}</span>
      )}
    </button>
  );
}
