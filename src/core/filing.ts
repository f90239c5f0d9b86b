/** Decides what is missing before a job, a task or a message is filed: the key, a price, the model server, git, the repository. */
import type { ProviderName } from '../shared/domain.ts';
import { type AutonomousError, type ErrorCode, failure, type PlainFailure } from '../shared/errors.ts';
import { hasPrice, type PriceTable } from './pricing.ts';
import { isPriced } from './unpriced.ts';

export const FILING_CHECKS = ['git', 'repository', 'key', 'price', 'endpoint'] as const;
export type FilingCheckName = (typeof FILING_CHECKS)[number];

/** What a surface can offer to solve a problem on the spot. */
export const REMEDIES = [
  'set_key',
  'choose_provider',
  'set_model',
  'set_base_url',
  'init_repository',
  'commit',
] as const;
export type Remedy = (typeof REMEDIES)[number];

export interface FilingProblem {
  readonly check: FilingCheckName;
  readonly code: ErrorCode;
  readonly message: string;
  /** The command to type, or what else solves it. Empty if nothing is known. */
  readonly hint: string;
  /** The most useful one first. */
  readonly remedies: readonly Remedy[];
  /** False: a warning, after which the work is filed. */
  readonly blocks: boolean;
}

/** Who answers the calls. */
export interface FiledModel {
  readonly provider: ProviderName;
  /** Models whose calls the gateway must price. */
  readonly models: readonly string[];
}

export interface FilingFacts {
  /** Null if this process calls no model for the work. */
  readonly model: FiledModel | null;
  readonly prices: PriceTable;
  /** Why the repository cannot be worked on; null if it can, or if none is needed. */
  readonly repository: PlainFailure | null;
  /** What the provider reports about itself. */
  readonly door: readonly PlainFailure[];
}

export const KEY_MISSING = {
  message: 'there is no API key for Anthropic',
  hint: 'In a terminal: export ANTHROPIC_API_KEY=KEY. In VS Code: run "Autonomous: Set API Key". Or choose another provider.',
} as const;

/** `details.reason` of a model server that did not answer in time. */
export const SLOW = 'slow';
/** `details.reason` of a repository without a commit. */
export const NO_COMMIT = 'no_commit';

export function filingProblems({ model, prices, repository, door }: FilingFacts): readonly FilingProblem[] {
  const ofRepository = repository === null ? [] : [repositoryProblem(repository)];
  if (model === null) return ofRepository;
  const { provider, models } = model;
  const unpriced = isPriced(provider) ? models.filter((name) => !hasPrice(prices, name)) : [];
  return [
    ...ofRepository,
    ...door.map((failed) => doorProblem(failed, provider)),
    ...unpriced.map((name) => priceProblem(name, prices)),
  ];
}

function repositoryProblem({ code, message, hint, details }: PlainFailure): FilingProblem {
  const isGit = code === 'GIT_MISSING' || code === 'GIT_FAILED';
  const remedies: readonly Remedy[] =
    code === 'NOT_A_REPOSITORY' ? ['init_repository'] : details['reason'] === NO_COMMIT ? ['commit'] : [];
  return { check: isGit ? 'git' : 'repository', code, message, hint, remedies, blocks: true };
}

function doorProblem(failed: PlainFailure, provider: ProviderName): FilingProblem {
  const { code, message, hint, details } = failed;
  if (code === 'MODEL_UNAVAILABLE') {
    // A server that was connected to and broke off may answer a request, and one that is slow will.
    const isDown = details['sent'] === false && details['reason'] !== SLOW;
    const remedies: readonly Remedy[] = ['choose_provider', 'set_base_url'];
    return { check: 'endpoint', code, message, hint, remedies, blocks: isDown };
  }
  const remedies: readonly Remedy[] = provider === 'anthropic' ? ['set_key', 'choose_provider'] : ['choose_provider'];
  return { check: 'key', code, message, hint, remedies, blocks: true };
}

function priceProblem(model: string, { models }: PriceTable): FilingProblem {
  return {
    check: 'price',
    code: 'MODEL_UNPRICED',
    message: `there is no price for the model ${JSON.stringify(model.slice(0, 100))}`,
    hint: `Choose a priced model, e.g. --model worker=${Object.keys(models)[0] ?? 'NAME'}. Priced: ${Object.keys(models).join(', ')}.`,
    remedies: ['set_model', 'choose_provider'],
    blocks: true,
  };
}

/** The refusal that holds all problems. A surface reads them back by `blockersIn`. `what` names what cannot start. */
export function filingFailure(what: string, problems: readonly FilingProblem[]): AutonomousError {
  const [first, ...more] = problems;
  const lines = problems.map(({ message, hint }) => (hint === '' ? `- ${message}` : `- ${message}\n  ${hint}`));
  return failure('NOT_READY', more.length === 0 ? `${what}: ${first?.message}` : [`${what}:`, ...lines].join('\n'), {
    hint: more.length === 0 ? (first?.hint ?? '') : '',
    details: {
      codes: problems.map(({ code }) => code),
      problems: problems.map(({ message }) => message),
      remedies: [...new Set(problems.flatMap(({ remedies }) => remedies))],
      // A surface with buttons shows only the hints of problems that no button solves.
      hints: problems.flatMap(({ hint, remedies }) => (hint === '' || remedies.length > 0 ? [] : [hint])),
    },
  });
}

/** What a refusal by `filingFailure` holds; null for another failure. */
export function blockersIn({ code, details }: Pick<PlainFailure, 'code' | 'details'>): {
  readonly problems: readonly string[];
  readonly remedies: readonly Remedy[];
  readonly hints: readonly string[];
} | null {
  if (code !== 'NOT_READY') return null;
  const texts = (name: string): readonly string[] => {
    const value = details[name];
    return Array.isArray(value) ? value.map(String) : [];
  };
  const named = texts('remedies');
  const remedies = REMEDIES.filter((remedy) => named.includes(remedy));
  return { problems: texts('problems'), remedies, hints: texts('hints') };
}
