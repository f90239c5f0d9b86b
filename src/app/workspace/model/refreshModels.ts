/** Reads again what the server of a connection states of its models. */
import { listedWithin } from '../../../adapters/gateway/wire/servedModels.ts';
import { keepList, keptLists } from '../../../adapters/userData/modelLists.ts';
import { keptList, type ListedModels, priceChanges } from '../../../core/money/price/listedModels.ts';
import type { RefreshedModels } from '../../../engine/workspace/connectionsApi.ts';
import { failure } from '../../../shared/errors.ts';
import { storedKeyName } from '../../../shared/model/connections.ts';
import type { ConnectionBook } from '../../open/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';
import { foundConnection } from './checkConnection.ts';
import { knownTerms } from './listedConnections.ts';

/** Prices that fell are kept as they were unless `lower`. Throws NOT_FOUND, KEY_…, MODEL_UNAVAILABLE. */
export async function refreshModels(
  { places: { configDir }, clock }: ReadOnlyWorkspace,
  book: ConnectionBook | undefined,
  name: string,
  lower: boolean,
): Promise<RefreshedModels> {
  const { connection, provider } = foundConnection(book, name);
  const now = (await listedWithin(clock, async (signal) => provider.checks?.listed(signal) ?? null)) ?? {};
  if (Object.keys(now).length === 0) {
    throw failure('NOT_FOUND', `the server of ${name} does not list its models`, {
      hint: 'State prices yourself: autonomous models add … --price "model=input/output"',
    });
  }
  const key = storedKeyName(connection);
  const before = keptLists(configDir)[key]?.models ?? known(await knownTerms(connection), now);
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  keepList(configDir, key, { day, models: keptList(before, now, lower) });
  return { models: Object.keys(now).length, changes: priceChanges(before, now) };
}

/** For the first list: what the other sources know of its models. */
const known = (terms: Awaited<ReturnType<typeof knownTerms>>, now: ListedModels): ListedModels =>
  Object.fromEntries(
    Object.keys(now).flatMap((model) => {
      const { tiers = null, window = null } = terms[model] ?? {};
      return tiers === null ? [] : [[model, { tiers, window }] as const];
    }),
  );
