/** Decides what is missing before a job, a task or a message is filed: the key, a price, the model server, git, the repository. */

import type { PlainFailure } from '../../shared/errors.ts';
import type { ProviderName } from '../../shared/model/models.ts';
import { hasPrice, type PriceTable } from '../money/pricing.ts';
import { isPriced } from '../money/unpriced.ts';
import { type FilingProblem, NO_COMMIT, type Remedy, SLOW } from './notReady.ts';

/** The provider and models that answer the calls. */
export interface FiledModel {
  readonly provider: ProviderName;
  /** Models whose calls the gateway must price. */
  readonly models: readonly string[];
}

export interface FilingFacts {
  /** Null if this process calls no model for the work. */
  readonly model: FiledModel | null;
  readonly prices: PriceTable;
  /** The reason why the repository cannot be used. Null if it can, or if none is needed. */
  readonly repository: PlainFailure | null;
  /** Problems that the provider reports about itself. */
  readonly door: readonly PlainFailure[];
}

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
