/** Draws the dependencies between features. Each node names them in words too, and links to its feature. */
import { useMemo } from 'react';
import { drawnGraph } from '../../../../src/core/task/view/taskGraph.ts';
import type { PanelPlanFeature } from '../../../../src/shared/job/planView.ts';
import { t } from '../../store/l10n.ts';
import { Drawing } from '../../ui/Drawing.tsx';
import { visible } from '../../ui/text/format.ts';

export const featurePlace = (number: number) => `plan-feature-${number}`;

export function goToFeature(number: number): void {
  const place = document.getElementById(featurePlace(number));
  place?.scrollIntoView({ block: 'start' });
  place?.focus();
}

/** The features that depend on another, and their dependencies. */
function related(features: readonly PanelPlanFeature[]): readonly PanelPlanFeature[] {
  const needed = new Set(features.flatMap(({ dependsOn }) => dependsOn));
  return features.filter(({ name, dependsOn }) => dependsOn.length > 0 || needed.has(name));
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

function Node({ feature: { number, name, dependsOn } }: { readonly feature: PanelPlanFeature }) {
  return (
    <button type="button" className="plan-node" title={visible(name)} onClick={() => goToFeature(number)}>
      <span>{visible(name)}</span>
      {dependsOn.length === 0 ? null : (
        <span className="unseen">{t('Depends on {0}', visible(dependsOn.join(', ')))}</span>
      )}
    </button>
  );
}
