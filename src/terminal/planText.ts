/** A plan as text. */
import type { Plan } from '../shared/plan.ts';
import { plural } from './text/format.ts';
import { indented, visibleLine } from './text/visible.ts';

export function planText(plan: Plan): string {
  const features = plan.phases.reduce((sum, phase) => sum + phase.features.length, 0);
  const head = `${visibleLine(plan.title)}: ${plural(plan.phases.length, 'phase')}, ${plural(features, 'feature')}`;
  return [head, ...plan.phases.map(phaseText)].join('\n\n');
}

function phaseText(phase: Plan['phases'][number], index: number): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`  ${title}:`, ...items.map((item) => `    - ${visibleLine(item)}`)];
  const features = phase.features.flatMap((feature) => {
    const after = feature.depends_on.length === 0 ? '' : ` (after ${feature.depends_on.map(visibleLine).join(', ')})`;
    return [
      `  * ${visibleLine(feature.name)} [${visibleLine(feature.category)}]${after}`,
      indented(feature.description, '      '),
    ];
  });
  return [
    `Phase ${index + 1}: ${visibleLine(phase.title)}`,
    indented(phase.objective),
    ...list('Accepted when', phase.acceptance_criteria),
    ...list('Verified by', phase.verify_commands),
    ...features,
  ].join('\n');
}
