/** A plan as text. */
import { startsText } from '../../core/job/plan/startsAtOnce.ts';
import type { Plan } from '../../shared/job/plan.ts';
import { plural } from '../text/format.ts';
import { indented, visibleLine } from '../text/visible.ts';

/** `lanes`: of the job. With one, nothing is stated about them. */
export function planText(plan: Plan, lanes = 1): string {
  const features = plan.phases.reduce((sum, phase) => sum + phase.features.length, 0);
  const head = `${visibleLine(plan.title)}: ${plural(plan.phases.length, 'phase')}, ${plural(features, 'feature')}`;
  const { questions = [], setup = [], assumptions = [], findings = '' } = plan;
  return [
    head,
    ...listed('Questions to you', questions),
    ...listed('Setup commands, run with the package registries allowed', setup),
    ...listed('Assumptions', assumptions),
    ...plan.phases.map((phase, index) => phaseText(phase, index, lanes)),
    ...(findings === '' ? [] : [`Findings for the workers\n${indented(findings)}`]),
  ].join('\n\n');
}

const listed = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [[title, ...items.map((item) => `  - ${visibleLine(item)}`)].join('\n')];

function phaseText(phase: Plan['phases'][number], index: number, lanes: number): string {
  const starts = startsText(phase, lanes);
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`  ${title}:`, ...items.map((item) => `    - ${visibleLine(item)}`)];
  const features = phase.features.flatMap((feature) => {
    const { paths = [] } = feature;
    const after = feature.depends_on.length === 0 ? '' : ` (after ${feature.depends_on.map(visibleLine).join(', ')})`;
    return [
      `  * ${visibleLine(feature.name)} [${visibleLine(feature.category)}]${after}`,
      indented(feature.description, '      '),
      ...feature.testing_steps.map((step) => `      - Test: ${visibleLine(step)}`),
      ...(feature.verify_commands ?? []).map((own) => `      - Verified by: ${visibleLine(own)}`),
      ...(paths.length === 0 ? [] : [`      - Probably changes: ${paths.map(visibleLine).join(', ')}`]),
    ];
  });
  return [
    `Phase ${index + 1}: ${visibleLine(phase.title)}`,
    indented(phase.objective),
    ...(starts === null ? [] : [indented(starts)]),
    ...list('Accepted when', phase.acceptance_criteria),
    ...list('Verified by', phase.verify_commands),
    ...features,
  ].join('\n');
}
