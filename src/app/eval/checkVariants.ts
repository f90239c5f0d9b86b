/** Checks before any work whether each variant of an eval can be filed: key, price, model server, agents. */
import { createGit } from '../../adapters/git/gitPort.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { PRICES } from '../../core/money/price/prices.ts';
import type { EvalRequest } from '../../engine/eval/evaluation.ts';
import { filingCheck, modelsAsked } from '../../engine/job/filing.ts';
import { checkEffort, checkExecutors, checkLimited, jobOptions } from '../../engine/job/requests/brief.ts';
import { REQUESTS } from '../../engine/state/api.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import { failure } from '../../shared/errors.ts';
import type { JobOptions } from '../../shared/job/rows.ts';
import { loadScenario } from '../assets/scenarios.ts';
import { agentEntries } from '../open/agents.ts';
import { doorsOf } from '../open/model/models.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';

/** Throws what the job of a variant would be refused with. */
export async function checkVariants(
  { places, clock, env, credentials, providers }: OwnerOptions,
  { variants, batchPrices }: Pick<EvalRequest, 'variants' | 'batchPrices'>,
  warn: (text: string) => void,
): Promise<void> {
  const agents = await agentEntries(places.configDir);
  const door = doorsOf(credentials, clock, providers);
  const check = filingCheck({ git: createGit({ clock, env }), door, prices: PRICES }, warn);
  for (const { name, request } of variants) {
    const parsed = REQUESTS.submitBrief.safeParse({ ...request, brief: name });
    if (!parsed.success) throw failure('INVALID_INPUT', `variant ${name} is not valid: ${parsed.error.message}`);
    const options = jobOptions(parsed.data, DEFAULT_OPTIONS, parsed.data.scenario ?? null);
    checkLimited(options);
    checkEffort(options);
    checkExecutors(agents, Object.values(options.executors ?? {}), options);
    if (batchPrices) checkBatches(name, options);
    if (options.provider === 'simulated') await loadScenario(options.scenario);
    const model = { provider: options.provider, models: modelsAsked(agents, options) };
    await check({ what: `variant ${name} cannot start`, model, folder: places.projectDir });
  }
}

function checkBatches(name: string, { provider, executors = {} }: JobOptions): void {
  const other = Object.values(executors).find((id) => id !== BUILT_IN);
  if (provider === 'anthropic' && other === undefined) return;
  throw failure('USAGE', `variant ${name} cannot have batch prices: ${other ?? provider} sends no batches`, {
    hint: 'Only the built-in agent with the provider anthropic does. Compare the variant in an eval without --batch-prices.',
  });
}
