/** Adds, changes and removes the user's connections to model servers. */
import { certificateOf } from '../../../adapters/gateway/wire/clientCertificate.ts';
import {
  connectionPresets,
  knownConnections,
  ONE_BY_ONE,
  ownEntry,
  withPreset,
  writeConnection,
} from '../../../adapters/userData/knownConnections.ts';
import { dropLists } from '../../../adapters/userData/modelLists.ts';
import { issueText } from '../../../adapters/userData/ownEntries.ts';
import { connectionHint } from '../../../core/model/connection/connectionHint.ts';
import { nearestName } from '../../../core/text/nearest/nearestName.ts';
import { asFailure, failure } from '../../../shared/errors.ts';
import {
  type AddedConnection,
  type Connection,
  type ConnectionEntry,
  connectionEntry,
  connectionName,
  faultOf,
  type NewConnection,
} from '../../../shared/model/connections.ts';
import type { ReadOnlyWorkspace } from '../../open/readOnlyWorkspace.ts';

type Seen = Pick<ReadOnlyWorkspace, 'places'>;

/**
 * Writes an entry. One that exists keeps the values that are not given, unless another preset is. Throws INVALID_INPUT for one that could
 * not be used, and if the entry or the file has a fault.
 */
export function addConnection({ places: { configDir } }: Seen, name: string, input: NewConnection): AddedConnection {
  const named = connectionName.safeParse(name);
  if (!named.success) {
    throw failure('INVALID_INPUT', `a connection cannot be named ${name}: ${named.error.issues[0]?.message ?? ''}`);
  }
  const before = ownEntry(configDir, name);
  const isOther = input.preset !== undefined && input.preset !== (before?.preset ?? name);
  const old = isOther ? null : before;
  const worded = old === null ? input : withOldNames(old, input);
  const entry = connectionEntry.safeParse(worded);
  if (!entry.success) {
    const [issue] = entry.error.issues;
    throw failure(
      'INVALID_INPUT',
      `${issue?.path.join('.') ?? ''}: ${issue === undefined ? 'it is not valid' : issueText(issue)}`,
    );
  }
  const given = entry.data;
  const merged = old === null ? given : mergedEntry(old, given);
  const connection = usable(name, merged);
  writeConnection(configDir, name, worded, old === null);
  const isSame = old !== null && JSON.stringify(merged) === JSON.stringify(old);
  return {
    connection,
    change: isSame ? 'unchanged' : old !== null ? 'changed' : before !== null ? 'replaced' : 'added',
    kept: old === null ? [] : keptOf(old, given),
    dropped: droppedOf(before, old, given),
  };
}

/** Throws INVALID_INPUT. */
function usable(name: string, entry: ConnectionEntry): Connection {
  const whole = withPreset(name, entry);
  if ('lacks' in whole) {
    throw failure('INVALID_INPUT', `the connection ${name} cannot be used: ${whole.lacks}`, {
      hint: hintFor(name, whole.lacks),
    });
  }
  try {
    certificateOf(whole);
  } catch (thrown) {
    const { message, hint } = asFailure(thrown);
    throw failure('INVALID_INPUT', message, { hint });
  }
  return whole;
}

/** The names of headers have no case: one that exists keeps its spelling. */
function withOldNames(old: ConnectionEntry, { headers, ...input }: NewConnection): NewConnection {
  if (headers === undefined) return input;
  const names = Object.keys(old.headers ?? {});
  const known = (name: string): string => names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  return {
    ...input,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [known(name), value])),
  };
}

const mergedEntry = (old: ConnectionEntry, given: ConnectionEntry): ConnectionEntry => ({
  ...old,
  ...given,
  ...Object.fromEntries(
    ONE_BY_ONE.flatMap((map) => (given[map] === undefined ? [] : [[map, { ...old[map], ...given[map] }]])),
  ),
});

function keptOf(old: ConnectionEntry, given: ConnectionEntry): readonly string[] {
  const whole = Object.keys(old).filter((value) => !Object.hasOwn(given, value));
  const inMaps = ONE_BY_ONE.flatMap((map) => {
    const [before, now] = [old[map] ?? {}, given[map]];
    return now === undefined
      ? []
      : Object.keys(before).flatMap((one) => (Object.hasOwn(now, one) ? [] : [`${map} ${one}`]));
  });
  return [...whole, ...inMaps];
}

/** A price is replaced with all its rates. */
function droppedOf(
  before: ConnectionEntry | null,
  old: ConnectionEntry | null,
  given: ConnectionEntry,
): readonly string[] {
  if (old === null) return Object.keys(before ?? {}).filter((value) => value !== 'preset');
  return Object.entries(given.prices ?? {}).flatMap(([model, tiers]) => {
    const price = old.prices?.[model];
    return price === undefined || JSON.stringify(price) === JSON.stringify(tiers) ? [] : [`the price of ${model}`];
  });
}

function hintFor(name: string, lacks: string): string {
  const presets = Object.keys(connectionPresets());
  if (lacks.startsWith('it has no wire')) {
    const near = nearestName(name, presets);
    const meant = near === null ? '' : `Did you mean ${near}? `;
    return `${meant}Give --wire and --base-url, or a preset by --preset: ${presets.join(', ')}.`;
  }
  return lacks.startsWith('it has no baseUrl') ? 'Give its address: --base-url URL.' : '';
}

/** Throws NOT_FOUND; INVALID_INPUT if the file has a fault. */
export function removeConnection({ places: { configDir } }: Seen, name: string): void {
  const { connections, faults } = knownConnections(configDir);
  if (!Object.hasOwn(connections, name) && faultOf(faults, name) === undefined) {
    const known = { connections: Object.keys(connections), presets: [] };
    throw failure('NOT_FOUND', `there is no connection named ${name}`, { hint: connectionHint(name, known) });
  }
  writeConnection(configDir, name, null);
  dropLists(configDir, name);
}
