/** Decides what is missing before a job, a task or a message is filed: the key, a price, the model server, git, the repository. */

import type { PlainFailure } from '../../shared/errors.ts';
import type { ConnectionName, ProviderName } from '../../shared/model/models.ts';
import { splitModel } from '../model/modelName.ts';
import { hasPrice, type PriceTable } from '../money/price/pricing.ts';
import { type FilingProblem, NO_COMMIT, type Remedy, SLOW } from './notReady.ts';

/** The models that answer the calls, and the provider of those without a connection. */
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
  /** Problems that the connections report about themselves. */
  readonly door: readonly { readonly connection: ConnectionName; readonly failed: PlainFailure }[];
}

export function filingProblems({ model, prices, repository, door }: FilingFacts): readonly FilingProblem[] {
  const ofRepository = repository === null ? [] : [repositoryProblem(repository)];
  if (model === null) return ofRepository;
  const { provider, models } = model;
  // A model of the user's connections without a price runs under limits of calls and tokens.
  const needsPrice = (name: string): boolean =>
    ['anthropic', 'simulated'].includes(splitModel(name, provider).connection);
  const unpriced = models.filter((name) => needsPrice(name) && !hasPrice(prices, name));
  return [
    ...ofRepository,
    ...door.map(({ connection, failed }) => doorProblem(failed, connection)),
    ...unpriced.map((name) => priceProblem(name, prices)),
  ];
}

function repositoryProblem({ code, message, hint, details }: PlainFailure): FilingProblem {
  const isGit = code === 'GIT_MISSING' || code === 'GIT_FAILED';
  const remedies: readonly Remedy[] =
    code === 'NOT_A_REPOSITORY' ? ['init_repository'] : details['reason'] === NO_COMMIT ? ['commit'] : [];
  return { check: isGit ? 'git' : 'repository', code, message, hint, remedies, blocks: true };
}

function doorProblem(failed: PlainFailure, connection: ConnectionName): FilingProblem {
  const { code, message, hint, details } = failed;
  if (code === 'MODEL_UNAVAILABLE') {
    // A server that was connected to and broke off may answer a request, and one that is slow will.
    const isDown = details['sent'] === false && details['reason'] !== SLOW;
    const remedies: readonly Remedy[] = ['choose_provider', 'set_base_url'];
    return { check: 'endpoint', code, message, hint, remedies, blocks: isDown };
  }
  const remedies: readonly Remedy[] = connection === 'anthropic' ? ['set_key', 'choose_provider'] : ['choose_provider'];
  return { check: 'key', code, message, hint, remedies, blocks: true };
}

function priceProblem(model: string, { models }: PriceTable): FilingProblem {
  return {
    check: 'price',
    code: 'MODEL_UNPRICED',
    message: `there is no price for the model ${JSON.stringify(model.slice(0, 100))}`,
    hint: `Choose a priced model, e.g. --model worker=${Object.keys(models)[0] ?? 'NAME'}. Priced: ${Object.keys(models).join(', ')}. A model of a connection is named CONNECTION/MODEL.`,
    remedies: ['set_model', 'choose_provider'],
    blocks: true,
  };
}
