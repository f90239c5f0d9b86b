/** Lists the user's connections to model servers. */
import { join } from 'node:path';
import { connectionPresets, knownConnections, OWN_CONNECTIONS } from '../../../adapters/userData/knownConnections.ts';
import { keyInEnvironment } from '../../../core/model/connection/awsCredentials.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import {
  type Connection,
  type ListedConnection,
  type ListedConnections,
  storedKeyName,
} from '../../../shared/model/connections.ts';
import type { Terms } from '../../../shared/model/terms.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';

type Seen = Pick<ReadOnlyWorkspace, 'places' | 'env'>;

export async function listConnections(
  { places: { configDir }, env }: Seen,
  storedKey: (connection: string) => Promise<string | undefined> = async () => undefined,
): Promise<ListedConnections> {
  const { connections, faults } = knownConnections(configDir);
  const listed = Object.values(connections).map(async (connection): Promise<ListedConnection> => {
    const stored = await storedKey(storedKeyName(connection));
    return { connection, key: keySource(connection, env, stored) };
  });
  const known = Object.entries(connectionPresets()).filter(([name]) => name !== 'anthropic');
  const presets = known.map(([name, { title, baseUrl, example = null, auth, url }]) => ({
    name,
    title,
    baseUrl,
    example,
    needsKey: auth !== 'none',
    url,
  }));
  return { connections: await Promise.all(listed), presets, faults, file: join(configDir, OWN_CONNECTIONS) };
}

function keySource({ auth, keyEnv, keyCommand }: Connection, env: Seen['env'], stored: string | undefined) {
  if (auth === 'none') return 'none';
  if (stored !== undefined && stored !== '') return 'stored';
  if ((keyInEnvironment(auth, keyEnv, env) ?? '') !== '') return 'environment';
  return keyCommand === null ? 'missing' : 'command';
}

/** Prices and window of the models that the connection's entry or the catalogue names. */
export async function knownTerms(connection: Connection): Promise<Terms> {
  const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
  const names = [
    ...Object.keys(connection.prices),
    ...Object.keys(connection.windows),
    ...connection.catalogue.flatMap((provider) => Object.keys(CATALOGUE.models[provider] ?? {})),
    ...Object.keys(connection.listed?.models ?? {}),
  ];
  return Object.fromEntries([...new Set(names)].map((name) => [name, termsOf(connection, name, CATALOGUE)]));
}
