/** Finds a connection of the user by its name, and lists its models. */
import { listedWithin } from '../../../adapters/gateway/wire/servedModels.ts';
import { connectionPresets } from '../../../adapters/userData/knownConnections.ts';
import { keptChecks } from '../../../adapters/userData/modelChecks.ts';
import { connectionHint } from '../../../core/model/connection/connectionHint.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import type { Provider } from '../../../engine/session/gatewayPorts.ts';
import { failure } from '../../../shared/errors.ts';
import { type Connection, faultOf, type ListedModel } from '../../../shared/model/connections.ts';
import type { ConnectionBook } from '../../open/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';
import { knownTerms } from './listedConnections.ts';

/** Throws NOT_FOUND. */
export function foundConnection(
  book: ConnectionBook | undefined,
  name: string,
): { connection: Connection; provider: Provider } {
  const { connections, faults } = book?.known() ?? { connections: {}, faults: [] };
  const connection = Object.hasOwn(connections, name) ? connections[name] : undefined;
  if (book !== undefined && connection !== undefined) return { connection, provider: book.provider(name) };
  const fault = faultOf(faults, name);
  const known = { connections: Object.keys(connections), presets: Object.keys(connectionPresets()) };
  throw failure('NOT_FOUND', `there is no connection named ${name}${fault === undefined ? '' : `; ${fault}`}`, {
    hint: fault === undefined ? connectionHint(name, known) : '',
  });
}

/** The models that the server lists, or else those that the catalogue or the entry names. */
export async function listedModels(
  { places, clock }: ReadOnlyWorkspace,
  book: ConnectionBook | undefined,
  name: string,
): Promise<readonly ListedModel[]> {
  const { connection, provider } = foundConnection(book, name);
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const { checks } = provider;
  const served = checks === undefined ? null : await listedWithin(clock, (signal) => checks.models(signal));
  const kept = keptChecks(places.configDir, clock);
  const names = Object.keys(served ?? (await knownTerms(connection)));
  return Promise.all(
    names.map(async (model) => ({
      name: `${name}/${model}`,
      terms: termsOf(connection, model, CATALOGUE),
      isChecked: checks !== undefined && (await kept.find(checks.key(model))) !== null,
    })),
  );
}
