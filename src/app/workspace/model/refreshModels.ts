/** Reads again what the server of a connection states of its models. */
import { listedWithin } from '../../../adapters/gateway/wire/servedModels.ts';
import { keepList } from '../../../adapters/userData/modelLists.ts';
import { keptList, priceChanges } from '../../../core/money/price/listedModels.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import type { RefreshedModels } from '../../../engine/workspace/connectionsApi.ts';
import { failure } from '../../../shared/errors.ts';
import { storedKeyName } from '../../../shared/model/connections.ts';
import type { ConnectionBook } from '../../open/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';
import { foundConnection } from './foundConnection.ts';

/** Prices that fell are kept as they were unless `lower`. Throws NOT_FOUND, KEY_…, MODEL_UNAVAILABLE. */
export async function refreshModels(
  { places: { configDir }, clock }: ReadOnlyWorkspace,
  book: ConnectionBook | undefined,
  name: string,
  lower: boolean,
): Promise<RefreshedModels> {
  const { connection, provider } = foundConnection(book, name);
  const { checks } = provider;
  const [problem] = (await provider.check?.([])) ?? [];
  if (problem !== undefined) throw problem;
  const now = checks === undefined ? null : await listedWithin(clock, (signal) => checks.models(signal));
  if (now === null || Object.keys(now).length === 0) throw unlisted(name);
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  // Prices of the user stay the user's, whatever the server states.
  const others = { ...connection, prices: {}, free: false };
  const known = (model: string) => termsOf(others, model, CATALOGUE).tiers;
  const before = { known, listed: connection.listed?.models ?? {} };
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  keepList(configDir, storedKeyName(connection), { day, models: keptList(before, now, lower) });
  const isOwn = (model: string): boolean => connection.free || Object.hasOwn(connection.prices, model);
  const changes = priceChanges(before, now).filter(({ model }) => !isOwn(model));
  return { models: Object.keys(now).length, changes };
}

const unlisted = (name: string) =>
  failure('NOT_FOUND', `the server of ${name} does not list its models`, {
    hint: `State prices yourself: autonomous models add ${name} --price "MODEL=INPUT/OUTPUT"`,
  });
