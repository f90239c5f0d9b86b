/** Lists, adds and removes the user's connections to model servers. */
import { join } from 'node:path';
import {
  connectionPresets,
  knownConnections,
  OWN_CONNECTIONS,
  withPreset,
  writeConnection,
} from '../../../adapters/userData/knownConnections.ts';
import { keyInEnvironment } from '../../../core/model/awsCredentials.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import { failure } from '../../../shared/errors.ts';
import {
  type Connection,
  connectionEntry,
  connectionName,
  faultOf,
  type ListedConnection,
  type ListedConnections,
  type NewConnection,
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
  const presets = Object.entries(connectionPresets()).map(([name, { title, baseUrl, example = null, auth, url }]) => ({
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

/** Writes an entry. Throws INVALID_INPUT for one that could not be used. */
export function addConnection({ places: { configDir } }: Seen, name: string, input: NewConnection): Connection {
  const named = connectionName.safeParse(name);
  if (!named.success) {
    throw failure('INVALID_INPUT', `a connection cannot be named ${name}: ${named.error.issues[0]?.message ?? ''}`);
  }
  const entry = connectionEntry.safeParse(input);
  if (!entry.success) {
    const [issue] = entry.error.issues;
    throw failure('INVALID_INPUT', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid'}`);
  }
  const whole = withPreset(name, entry.data);
  if ('lacks' in whole) {
    throw failure('INVALID_INPUT', `the connection ${name} is not complete: ${whole.lacks}`, {
      hint: hintFor(whole.lacks),
    });
  }
  writeConnection(configDir, name, entry.data);
  return whole;
}

function hintFor(lacks: string): string {
  if (lacks.startsWith('it has no wire'))
    return `Give --wire and --base-url, or a preset by --preset: ${Object.keys(connectionPresets()).join(', ')}.`;
  return lacks.startsWith('it has no baseUrl') ? 'Give its address: --base-url URL.' : '';
}

/** Throws NOT_FOUND. */
export function removeConnection({ places: { configDir } }: Seen, name: string): void {
  const { connections, faults } = knownConnections(configDir);
  if (!Object.hasOwn(connections, name) && faultOf(faults, name) === undefined) {
    throw failure('NOT_FOUND', `there is no connection named ${name}`, { hint: 'See: autonomous models list' });
  }
  writeConnection(configDir, name, null);
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
