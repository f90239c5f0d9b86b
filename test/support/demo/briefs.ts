/** Small scenarios in few words: what a plan has, and what each role says. */
import {
  checkScenario,
  type FeatureInput,
  type Scenario,
  type ScenarioInput,
} from '../../../src/adapters/simulated/scenario.ts';

type Calls = { readonly tool: string; readonly input: Record<string, unknown> }[];
type Attempt = FeatureInput['attempts'][number];
type PhaseScript = NonNullable<ScenarioInput['phases']>[string];
type ReviewInput = PhaseScript['reviews'][number];

/** One turn that makes all these calls, and one for the report, which must be alone. */
export function attempt(...calls: Calls): Attempt {
  const work = calls.filter(({ tool }) => tool !== 'report');
  const reports = calls.filter(({ tool }) => tool === 'report');
  const turns = [work, reports].filter((turn) => turn.length > 0);
  return { turns: turns.map((turn) => ({ text: '', calls: turn as never })) };
}

export function write(file_path: string, content: string): Calls[number] {
  return { tool: 'write', input: { file_path, content } };
}

export function bash(command: string): Calls[number] {
  return { tool: 'bash', input: { command } };
}

export function report(outcome: 'done' | 'stuck' | 'blocked', question = ''): Calls[number] {
  return { tool: 'report', input: { outcome, summary: `Reported ${outcome}.`, question } };
}

/** Writes one file and says that it is done. */
export function writes(path: string, content = `${path}\n`): Attempt {
  return attempt(write(path, content), report('done'));
}

export function stuck(question: string): Attempt {
  return attempt(report('stuck', question));
}

export const approves: ReviewInput = { verdict: { verdict: 'APPROVED', reason: 'It holds.' } };

export function rejects(feedback: string, reopen: readonly string[] = []): ReviewInput {
  return { verdict: { verdict: 'REJECTED', reason: 'It does not hold.', feedback, reopen: [...reopen] } };
}

export function escalates(reason: string): ReviewInput {
  return { verdict: { verdict: 'ESCALATE', reason } };
}

export interface FeatureWords {
  readonly name: string;
  readonly after?: readonly string[];
  /** One per attempt; the last one stays. Left out: a file named after the feature. */
  readonly attempts?: readonly Attempt[];
  readonly reviews?: readonly ReviewInput[];
  /** When the merge returns its work, one per return. */
  readonly returns?: readonly Attempt[];
}

export interface PhaseWords {
  readonly title?: string;
  readonly verify?: readonly string[];
  readonly features: readonly FeatureWords[];
  readonly reviews?: readonly ReviewInput[];
}

/** A brief's whole life. By default every phase verifies with `ls`, and is approved. */
export function scenarioOf(phases: readonly PhaseWords[], more: Partial<ScenarioInput> = {}): Scenario {
  const titled = phases.map((phase, index) => ({ title: `Phase ${index + 1}`, ...phase }));
  const features = titled.flatMap((phase) => phase.features);
  return checkScenario(
    {
      version: 1,
      title: 'Test',
      plan: {
        title: 'A plan',
        phases: titled.map(({ title, verify = ['ls'], features: list }) => ({
          title,
          objective: `Do ${title}.`,
          acceptance_criteria: ['It is there.'],
          verify_commands: [...verify],
          features: list.map(({ name, after = [] }) => ({
            name,
            description: `Make ${name}.`,
            category: 'core',
            depends_on: [...after],
          })),
        })),
      },
      features: Object.fromEntries(
        features.map(({ name, attempts = [writes(`${name}.txt`)], reviews = [approves], returns }) => [
          name,
          {
            attempts: [...attempts],
            reviews: [...reviews],
            ...(returns === undefined ? {} : { returns: [...returns] }),
          },
        ]),
      ),
      phases: Object.fromEntries(
        titled.map(({ title, reviews = [approves] }) => [
          title,
          { reviews: [...reviews], summaries: [`${title} is done.`] },
        ]),
      ),
      otherwise: {
        feature: { attempts: [writes('fix.txt', '{{attempt}} of {{feature}}\n')], reviews: [approves] },
        phase: { reviews: [approves], summaries: ['Done.'] },
      },
      ...more,
    },
    'test',
  );
}

/** One phase with one feature. */
export const ONE_FEATURE: Scenario = scenarioOf([{ features: [{ name: 'A' }] }]);

/** Of one feature; every role says the same twice: an answer that did not count has a turn after it. */
export function twice(): Scenario {
  const work = attempt(write('A.txt', 'A'), report('done')).turns;
  const plan = attempt({ tool: 'submit_plan', input: { ...ONE_FEATURE.plan } }).turns;
  const verdict = attempt({ tool: 'submit_verdict', input: { verdict: 'APPROVED', reason: 'It holds.' } }).turns;
  return scenarioOf(
    [
      {
        features: [{ name: 'A', attempts: [{ turns: [...work, ...work, ...work] }] }],
        reviews: [{ turns: [...verdict, ...verdict], verdict: approves.verdict }],
      },
    ],
    { planning: [{ turns: [...plan, ...plan], submit: true }] },
  );
}
