/** Lists, adds and removes the user's connections to model servers. */
import { join } from 'node:path';
import { certificateOf } from '../../../adapters/gateway/wire/clientCertificate.ts';
import {
  connectionPresets,
  knownConnections,
  OWN_CONNECTIONS,
  ownEntry,
  withPreset,
  writeConnection,
} from '../../../adapters/userData/knownConnections.ts';
import { dropLists } from '../../../adapters/userData/modelLists.ts';
import { keyInEnvironment } from '../../../core/model/connection/awsCredentials.ts';
import { connectionHint } from '../../../core/model/connection/connectionHint.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import { nearestName } from '../../../core/text/nearest/nearestName.ts';
import { failure } from '../../../shared/errors.ts';
import {
  type AddedConnection,
  type Connection,
  type ConnectionEntry,
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

/**
 * Writes an entry. One that exists keeps the values that are not given, unless another preset is. Throws INVALID_INPUT for one that could
 * not be used, and KEY_MISSING for files of a client certificate that could not.
 */
export function addConnection({ places: { configDir } }: Seen, name: string, input: NewConnection): AddedConnection {
  const named = connectionName.safeParse(name);
  if (!named.success) {
    throw failure('INVALID_INPUT', `a connection cannot be named ${name}: ${named.error.issues[0]?.message ?? ''}`);
  }
  const entry = connectionEntry.safeParse(input);
  if (!entry.success) {
    const [issue] = entry.error.issues;
    throw failure('INVALID_INPUT', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid'}`);
  }
  const before = ownEntry(configDir, name);
  const given = entry.data;
  const isOther = given.preset !== undefined && given.preset !== (before?.preset ?? name);
  const old = isOther ? null : before;
  const changed = old === null ? given : mergedEntry(old, given);
  const whole = withPreset(name, changed);
  if ('lacks' in whole) {
    throw failure('INVALID_INPUT', `the connection ${name} cannot be used: ${whole.lacks}`, {
      hint: hintFor(name, whole.lacks),
    });
  }
  certificateOf(whole);
  writeConnection(configDir, name, changed);
  return {
    connection: whole,
    change: old !== null ? 'changed' : before !== null ? 'replaced' : 'added',
    kept: Object.keys(old ?? {}).filter((value) => !Object.hasOwn(given, value)),
  };
}

/** Headers, prices and windows are given one by one. */
const mergedEntry = (old: ConnectionEntry, given: ConnectionEntry): ConnectionEntry => ({
  ...old,
  ...given,
  ...(given.headers === undefined ? {} : { headers: { ...old.headers, ...given.headers } }),
  ...(given.prices === undefined ? {} : { prices: { ...old.prices, ...given.prices } }),
  ...(given.windows === undefined ? {} : { windows: { ...old.windows, ...given.windows } }),
});

function hintFor(name: string, lacks: string): string {
  const presets = Object.keys(connectionPresets());
  const isUnknown = lacks.startsWith('it has no wire');
  const [, typed = isUnknown ? name : ''] = /^there is no preset (.+);/.exec(lacks) ?? [];
  const near = nearestName(typed, presets);
  const meant = near === null ? '' : `Did you mean ${near}? `;
  if (isUnknown) return `${meant}Give --wire and --base-url, or a preset by --preset: ${presets.join(', ')}.`;
  if (near !== null) return meant.trim();
  return lacks.startsWith('it has no baseUrl') ? 'Give its address: --base-url URL.' : '';
}

/** Throws NOT_FOUND. */
export function removeConnection({ places: { configDir } }: Seen, name: string): void {
  const { connections, faults } = knownConnections(configDir);
  if (!Object.hasOwn(connections, name) && faultOf(faults, name) === undefined) {
    const [fault] = faults;
    const known = { connections: Object.keys(connections), presets: [] };
    throw failure('NOT_FOUND', `there is no connection named ${name}`, {
      hint: fault === undefined ? connectionHint(name, known) : `Correct the file first. ${fault}`,
    });
  }
  writeConnection(configDir, name, null);
  dropLists(configDir, name);
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
