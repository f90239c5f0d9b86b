/** The facts of a plan in words. Pure. */
import type { PanelPlan, PlanEstimate, PlanRange } from '../../../../src/shared/job/planView.ts';
import { plural, t } from '../../store/l10n.ts';
import { duration, usd, visible } from '../../ui/text/format.ts';

export const featuresOf = ({ phases }: PanelPlan) => phases.flatMap(({ features }) => features);

export const sizeOf = (plan: PanelPlan): string =>
  `${plural(plan.phases.length, { one: '{0} phase', other: '{0} phases' })}, ${plural(featuresOf(plan).length, { one: '{0} feature', other: '{0} features' })}`;

/** `$0.10 to $0.40`, or one figure if both ends read the same. */
function range({ low, high }: PlanRange, shown: (amount: number) => string): string {
  const [from, to] = [shown(low), shown(high)];
  return from === to ? t('about {0}', from) : t('{0} to {1}', from, to);
}

/** The cost, the time and the source of both. */
export interface EstimateText {
  readonly cost: string;
  readonly time: string;
  readonly source: string;
}

export function estimateText(estimate: PlanEstimate): EstimateText {
  const unknown = t('unknown');
  switch (estimate.source) {
    case 'recorded': {
      const { usd: cost, ms, jobs, features, model } = estimate;
      return {
        cost: cost === null ? t('not priced') : range(cost, usd),
        time: range(ms, duration),
        source: t(
          'From {0} with {1}, which completed {2}. Time that you need for answers is not included.',
          plural(jobs, { one: '{0} earlier job', other: '{0} earlier jobs' }),
          visible(model),
          plural(features, { one: '{0} feature', other: '{0} features' }),
        ),
      };
    }
    case 'budget':
      return {
        cost: t('at most {0}', usd(estimate.atMostUsd)),
        time: unknown,
        source: t('No earlier job used this model. The cost is bounded by the budget of the job.'),
      };
    case 'simulated':
      return { cost: t('nothing'), time: unknown, source: t('The model is simulated: no money is spent.') };
    case 'unknown':
      return { cost: unknown, time: unknown, source: t('No earlier job used this model, and the job has no budget.') };
  }
}
