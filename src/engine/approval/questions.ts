/** The words of the questions to the steward. */

import { type About, subjectOf } from '../../core/approval/about.ts';
import { startsText } from '../../core/job/plan/startsAtOnce.ts';
import { limitUnit, limitWords } from '../../core/money/limitWords.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { NewApproval } from '../../shared/approval.ts';
import { type ErrorCode, MODEL_REFUSALS } from '../../shared/errors.ts';
import type { Plan } from '../../shared/job/plan.ts';
import type { FeatureRow, JobRow } from '../../shared/job/rows.ts';
import type { SessionResult } from '../session/ports.ts';

export type Asked = Pick<NewApproval, 'kind' | 'question'> & { readonly about: About } & Partial<
    Omit<NewApproval, 'subject'>
  >;

/** Fields that most questions leave empty. */
const EMPTY = { detail: '', phase_id: null, feature_id: null, commit: null, executables: [], choices: [] };

export function question(job: JobRow, id: number, { about, ...asked }: Asked): NewApproval {
  return { ...EMPTY, subject: subjectOf(about), ...asked, id, job_id: job.id };
}

/** About a project itself. */
export function projectQuestion(projectId: string, id: number, { about, ...asked }: Asked): NewApproval {
  return { ...EMPTY, subject: subjectOf(about), ...asked, id, job_id: null, project_id: projectId };
}

/** Advice for a feature that has its own executors, one of which fails: another executor for the job would change nothing. */
export function withoutAgent(feature: FeatureRow | null, code: ErrorCode): string {
  if (feature?.executors == null || !code.startsWith('AGENT_')) return '';
  const tried = feature.executors.slice(0, feature.candidates.length);
  const names = tried.length > 0 ? tried : [BUILT_IN];
  const kept = tried.length > 0 ? ', whose results stay' : '';
  return `To do without it: autonomous agents choose ${feature.id} ${names.join(' ')}${kept}; then resume the job.`;
}

type Refused = Pick<
  Extract<SessionResult, { outcome: 'unavailable' }>,
  'code' | 'detail' | 'hint' | 'limit' | 'raiseTo'
>;

/**
 * The question after the gateway refused a call that only the steward can allow. `ofAll` is the limit if the refusal names none.
 */
export function refusalQuestion(refused: Refused, id: number, ofAll: string): Asked {
  const { code, detail, hint, limit, raiseTo } = refused;
  const asked =
    code === 'LIMIT_REACHED'
      ? { kind: 'limit' as const, ...limitQuestion(limit ?? ofAll, id, raiseTo) }
      : {
          kind: 'provider' as const,
          about: { of: 'provider' as const, code, id },
          question: `The model cannot be used: ${detail}. Try again?`,
        };
  return { ...asked, detail: hint === '' ? detail : `${detail}. ${hint}` };
}

/** Whether a person must change something first. Other failures are temporary. */
export const isForSteward = (code: ErrorCode): boolean => code === 'LIMIT_REACHED' || MODEL_REFUSALS.includes(code);

export function limitQuestion(
  limit: string,
  id: number,
  raiseTo: number | null,
): Pick<Asked, 'about' | 'question'> & Pick<NewApproval, 'choices'> {
  const about: About = { of: 'limit', limit, id, raiseTo };
  if (raiseTo === null) {
    return {
      about,
      question: `The ${limitWords(limit)} limit is reached. Double it and continue?`,
      choices: ['double'],
    };
  }
  const unit = limitUnit(limit);
  const amount = unit === null ? `$${(raiseTo / 1e6).toFixed(2)}` : `${raiseTo.toLocaleString('en')} ${unit}`;
  return {
    about,
    question: `The ${limitWords(limit)} limit is reached. Raise it to ${amount} and continue?`,
    choices: ['raise'],
  };
}

/** e.g. `1 commit`, `2 commits` */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

export function planQuestion({ phases, setup = [], questions = [] }: Plan): string {
  const features = phases.reduce((sum, phase) => sum + phase.features.length, 0);
  const acts = [
    `Carry out this plan of ${count(phases.length, 'phase')} and ${count(features, 'feature')}`,
    ...(setup.length === 0 ? [] : ['run its setup with the package registries allowed']),
    ...(questions.length === 0 ? [] : [`answer its ${questions.length === 1 ? 'question' : 'questions'}`]),
  ];
  return `${acts.length < 3 ? acts.join(' and ') : `${acts.slice(0, -1).join(', ')}, and ${acts.at(-1)}`}?`;
}

/** `Heading:` and one line for each item. Empty for an empty list. */
const listed = (heading: string, items: readonly string[], mark: string): string[] =>
  items.length === 0 ? [] : [[`${heading}:`, ...items.map((item) => `   ${mark} ${item}`)].join('\n')];

/** Questions and setup commands come first, because a client may cut the rest. */
export function planText(plan: Plan, lanes: number): string {
  const { setup = [], assumptions = [], questions = [], findings = '' } = plan;
  return [
    ...listed('Questions to you', questions, '?'),
    ...listed('Setup commands, run with the package registries allowed', setup, '$'),
    ...listed('Assumptions', assumptions, '-'),
    phasesText(plan, lanes),
    ...(findings === '' ? [] : [`Findings for the workers:\n${findings}`]),
  ].join('\n\n');
}

function phasesText(plan: Plan, lanes: number): string {
  return plan.phases
    .map((phase, index) => {
      const features = phase.features.flatMap((feature) => {
        const after = feature.depends_on.length > 0 ? ` (after ${feature.depends_on.join(', ')})` : '';
        return [
          `   - ${feature.name} [${feature.category}]${after}: ${feature.description}`,
          ...feature.testing_steps.map((step) => `     * ${step}`),
          ...(feature.verify_commands ?? []).map((command) => `     $ ${command}`),
        ];
      });
      const criteria = phase.acceptance_criteria.map((criterion) => `   * ${criterion}`);
      const verify = phase.verify_commands.map((command) => `   $ ${command}`);
      const starts = startsText(phase, lanes);
      const head = [`${index + 1}. ${phase.title}: ${phase.objective}`, ...(starts === null ? [] : [`   ${starts}`])];
      return [...head, ...criteria, ...verify, ...features].join('\n');
    })
    .join('\n\n');
}
