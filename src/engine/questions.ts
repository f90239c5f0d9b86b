/** The words of the questions to the steward. */
import type { JobRow } from '../shared/domain.ts';
import type { NewApproval } from '../shared/events.ts';
import type { Plan } from '../shared/plan.ts';

/** A question with what most of them leave empty. */
export function question(
  job: JobRow,
  id: number,
  asked: Pick<NewApproval, 'kind' | 'subject' | 'question'> & Partial<NewApproval>,
): NewApproval {
  return {
    detail: '',
    phase_id: null,
    feature_id: null,
    commit: null,
    executables: [],
    choices: [],
    ...asked,
    id,
    job_id: job.id,
  };
}

export function planText(plan: Plan): string {
  return plan.phases
    .map((phase, index) => {
      const features = phase.features.map((feature) => {
        const after = feature.depends_on.length > 0 ? ` (after ${feature.depends_on.join(', ')})` : '';
        return `   - ${feature.name} [${feature.category}]${after}: ${feature.description}`;
      });
      const criteria = phase.acceptance_criteria.map((criterion) => `   * ${criterion}`);
      const verify = phase.verify_commands.map((command) => `   $ ${command}`);
      return [`${index + 1}. ${phase.title}: ${phase.objective}`, ...criteria, ...verify, ...features].join('\n');
    })
    .join('\n\n');
}
