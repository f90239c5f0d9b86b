/**
 * Reads and writes the user's connections to model servers: connections.yaml in the user's configuration. No file of a repository is
 * read, and no key is stored in it.
 */
import { join } from 'node:path';
import { Document, isMap } from 'yaml';
import presets from '../../../assets/connections.json' with { type: 'json' };
import { addressFault } from '../../core/model/connection/addressFault.ts';
import { awsService } from '../../core/model/connection/awsCredentials.ts';
import { nearestName } from '../../core/text/nearest/nearestName.ts';
import { yamlDocument } from '../../core/text/yamlDocument.ts';
import { failure } from '../../shared/errors.ts';
import {
  type Connection,
  type ConnectionEntry,
  type ConnectionPreset,
  type Connections,
  connectionEntry,
  connectionName,
  connectionPreset,
  faultOf,
  type NewConnection,
  storedKeyName,
} from '../../shared/model/connections.ts';
import { keptLists } from './modelLists.ts';
import { entriesIn, type OwnEntries, ownText } from './ownEntries.ts';
import { replaceFile } from './replaceFile.ts';

export const OWN_CONNECTIONS = 'connections.yaml';

export interface KnownConnections {
  readonly connections: Connections;
  /** Problems of the entries, one sentence each. Such a connection cannot be used. */
  readonly faults: readonly string[];
}

let parsed: Readonly<Record<string, ConnectionPreset>> | null = null;

/** Parsed once: they are looked up for each call of a model. */
export function connectionPresets(): Readonly<Record<string, ConnectionPreset>> {
  parsed ??= Object.fromEntries(
    Object.entries(presets).map(([name, preset]) => [name, connectionPreset.parse(preset)]),
  );
  return parsed;
}

export function knownConnections(configDir: string): KnownConnections {
  const found = ownText(join(configDir, OWN_CONNECTIONS));
  if ('fault' in found) return { connections: {}, faults: found.fault === null ? [] : [found.fault] };
  const { entries, faults } = ownConnections(found.text);
  const merged = Object.entries(entries).map(([name, entry]) => [name, withPreset(name, entry)] as const);
  const lacking = merged.flatMap(([name, one]) =>
    'lacks' in one ? [`${OWN_CONNECTIONS}: ${name}: ${one.lacks}`] : [],
  );
  const lists = keptLists(configDir);
  const whole = merged.flatMap(([name, one]) =>
    'lacks' in one ? [] : [[name, { ...one, listed: lists[storedKeyName(one)] ?? null }] as const],
  );
  return { connections: Object.fromEntries(whole), faults: [...faults, ...lacking] };
}

/** Parses the text of the user's file. */
export const ownConnections = (text: string): OwnEntries<ConnectionEntry> =>
  entriesIn(text, {
    file: OWN_CONNECTIONS,
    of: 'connection',
    schema: connectionEntry,
    nameFault: (name) => {
      const named = connectionName.safeParse(name);
      return named.success ? null : (named.error.issues[0]?.message ?? '');
    },
  });

/** The connection with the values of its preset: the one that it names, or the one with its own name. */
export function withPreset(name: string, entry: ConnectionEntry): Connection | { readonly lacks: string } {
  const known = connectionPresets();
  const chosen = entry.preset ?? (Object.hasOwn(known, name) ? name : null);
  const preset = chosen === null || !Object.hasOwn(known, chosen) ? undefined : known[chosen];
  if (chosen !== null && preset === undefined) {
    const near = nearestName(chosen, Object.keys(known));
    const meant = near === null ? '' : ` (did you mean ${near}?)`;
    return { lacks: `there is no preset ${chosen}${meant}; there are: ${Object.keys(known).join(', ')}` };
  }
  const wire = entry.wire ?? preset?.wire;
  if (wire === undefined) return { lacks: 'it has no wire' };
  const baseUrl = entry.baseUrl ?? preset?.baseUrl ?? null;
  if (baseUrl === null) {
    const form = preset?.example === undefined ? '' : `; it has the form ${preset.example}`;
    return { lacks: `it has no baseUrl${form}` };
  }
  const keyEnv = entry.keyEnv ?? preset?.keyEnv ?? null;
  const keyCommand = entry.keyCommand ?? null;
  const hasKey = keyEnv !== null || keyCommand !== null;
  const auth =
    entry.auth ?? (preset === undefined || preset.auth === 'none' ? (hasKey ? 'bearer' : 'none') : preset.auth);
  if ((entry.clientCert === undefined) !== (entry.clientKey === undefined)) {
    return { lacks: 'clientCert and clientKey belong together' };
  }
  const address = addressFault(baseUrl, { wire, example: preset?.example ?? null });
  if (address !== null) return { lacks: address };
  if (entry.clientCert !== undefined && !baseUrl.startsWith('https:')) {
    return { lacks: 'a client certificate needs an address that begins with https' };
  }
  if (auth === 'sigv4' && awsService(new URL(baseUrl).hostname) === null) {
    return { lacks: 'auth sigv4 signs only requests to https://bedrock-runtime.REGION.amazonaws.com/anthropic' };
  }
  return {
    name,
    title: preset?.title ?? name,
    preset: preset === undefined ? null : chosen,
    wire,
    baseUrl,
    auth,
    keyEnv,
    keyCommand,
    clientCert: entry.clientCert ?? null,
    clientKey: entry.clientKey ?? null,
    headers: entry.headers ?? {},
    free: entry.free ?? false,
    prices: entry.prices ?? {},
    windows: entry.windows ?? {},
    catalogue: preset?.catalogue ?? [],
    start: preset?.start ?? null,
    load: preset?.load ?? null,
    listed: null,
  };
}

/** The entry as the file has it; null if there is none. Throws INVALID_INPUT if it has a fault, because a change could lose what it means. */
export function ownEntry(configDir: string, name: string): ConnectionEntry | null {
  const file = join(configDir, OWN_CONNECTIONS);
  const found = ownText(file);
  const own = 'fault' in found ? null : ownConnections(found.text);
  const fault = 'fault' in found ? found.fault : faultOf(own?.faults ?? [], name);
  if (fault != null) throw failure('INVALID_INPUT', fault, { hint: `Correct it first: ${file}` });
  const entries = own?.entries ?? {};
  return Object.hasOwn(entries, name) ? (entries[name] ?? null) : null;
}

type Change = NewConnection | ConnectionEntry;

/**
 * Writes these values of an entry, or removes it if they are null. `isNew`: nothing of an entry with this name stays. Otherwise values
 * that are not given stay, and so do comments and other entries. Throws INVALID_INPUT if the file has a fault.
 */
export function writeConnection(configDir: string, name: string, change: Change | null, isNew = true): void {
  const file = join(configDir, OWN_CONNECTIONS);
  const found = ownText(file);
  if ('fault' in found && found.fault !== null) throw failure('INVALID_INPUT', found.fault);
  const { document } = yamlDocument('text' in found ? found.text : '');
  const [error] = document.errors;
  if (error !== undefined || (document.contents !== null && !isMap(document.contents))) {
    throw failure(
      'INVALID_INPUT',
      `${OWN_CONNECTIONS} is not valid: ${error?.message.split('\n')[0] ?? 'the file must be a mapping'}`,
      {
        hint: `Correct it first: ${file}`,
      },
    );
  }
  const changed = document.contents === null ? new Document({}) : document;
  // An empty mapping is written as {}, and what is put into it would stand on one line.
  if (isMap(changed.contents) && changed.contents.items.length === 0) changed.contents.flow = false;
  if (change === null) changed.delete(name);
  else if (isNew || !isMap(changed.get(name))) changed.set(name, changed.createNode(change));
  else for (const [path, value] of valuesOf(change)) changed.setIn([name, ...path], changed.createNode(value));
  replaceFile(file, String(changed));
}

/** Their values are given one by one. */
export const ONE_BY_ONE = ['headers', 'prices', 'windows'] as const;

type Value = readonly [path: readonly string[], value: unknown];

function valuesOf(change: Change): readonly Value[] {
  return Object.entries(change).flatMap(([key, value]): readonly Value[] =>
    ONE_BY_ONE.some((map) => map === key) && typeof value === 'object'
      ? Object.entries(value).map(([name, one]): Value => [[key, name], one])
      : [[[key], value]],
  );
}
