/** The user's connections to model servers, with their keys: from the editor's secrets, the environment, or a key command. */
import { type Certificate, certificateOf, certifiedFetch } from '../../../adapters/gateway/wire/clientCertificate.ts';
import { connectionProvider } from '../../../adapters/gateway/wire/connectionProvider.ts';
import { proxyFor } from '../../../adapters/gateway/wire/envProxy.ts';
import { keyFrom } from '../../../adapters/userData/keyCommand.ts';
import {
  connectionPresets,
  type KnownConnections,
  knownConnections,
} from '../../../adapters/userData/knownConnections.ts';
import { keyInEnvironment, secretsIn } from '../../../core/model/connection/awsCredentials.ts';
import { connectionHint } from '../../../core/model/connection/connectionHint.ts';
import type { Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, asFailure, failure } from '../../../shared/errors.ts';
import { type Connection, faultOf, storedKeyName } from '../../../shared/model/connections.ts';

export interface ConnectionSources {
  readonly configDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, 'monotonic' | 'timer'>;
  /** The key that the editor stores under this name; absent outside of it. */
  readonly storedKey?: (connection: string) => Promise<string | undefined>;
  readonly proxy?: typeof fetch | null;
}

export interface ConnectionBook {
  /** As the file is now. */
  known(): KnownConnections;
  /** What answers for a connection now. If there is none with this name, each of its calls is refused. */
  provider(name: string): Provider;
  /** The same without a connection for checks. */
  withoutNetwork(name: string): Provider;
  /** The secrets that were used: keys and the values of headers. */
  secrets(): readonly string[];
}

/** A key of a command is read again after this time. */
const KEY_LIFE_MS = 5 * 60_000;

export function openConnections(sources: ConnectionSources): ConnectionBook {
  const { configDir, env, clock, storedKey, proxy = null } = sources;
  const used = new Set<string>();
  const fromCommand = new Map<string, { readonly key: Promise<string>; readonly at: number }>();

  const ofCommand = (command: string, connection: string, fresh: boolean): Promise<string> => {
    const kept = fromCommand.get(command);
    if (!fresh && kept !== undefined && clock.monotonic() - kept.at < KEY_LIFE_MS) return kept.key;
    const key = keyFrom(command, connection, env as NodeJS.ProcessEnv);
    fromCommand.set(command, { key, at: clock.monotonic() });
    // The next call retries a failed command.
    key.catch(() => fromCommand.delete(command));
    return key;
  };
  const keyOf = async (connection: Connection, fresh: boolean): Promise<string | undefined> => {
    const { name, auth, keyEnv, keyCommand } = connection;
    const stored = await storedKey?.(storedKeyName(connection));
    const given = stored || keyInEnvironment(auth, keyEnv, env);
    const printed = given || keyCommand === null ? '' : await ofCommand(keyCommand, name, fresh);
    // Credentials of AWS are printed in several lines.
    const key = given || (auth === 'sigv4' ? printed : printed.split('\n', 1)[0]?.trim());
    if (key !== undefined && key !== '') for (const secret of secretsIn(auth, key)) used.add(secret);
    return key;
  };
  /** Certificates are read for each call: some are renewed every day. An unchanged one keeps its connections. */
  const certified = new Map<string, { readonly certificate: Certificate; readonly fetch: typeof fetch }>();
  const fetchOf = (connection: Connection): typeof fetch | null => {
    const certificate = certificateOf(connection);
    if (certificate === null) return proxy;
    const kept = certified.get(connection.name);
    if (kept?.certificate.cert === certificate.cert && kept.certificate.key === certificate.key) return kept.fetch;
    const made = { certificate, fetch: certifiedFetch(env, certificate) };
    certified.set(connection.name, made);
    return made.fetch;
  };
  const opened = (name: string, timed: boolean): Provider => {
    const { connections, faults } = knownConnections(configDir);
    const connection = Object.hasOwn(connections, name) ? connections[name] : undefined;
    if (connection === undefined) return notConnected(name, faults);
    for (const value of Object.values(connection.headers)) used.add(value);
    try {
      const key = (fresh: boolean) => keyOf(connection, fresh);
      const own = fetchOf(connection);
      const isProxied = own !== null && proxyFor(env) !== '';
      return connectionProvider({ connection, key, proxy: own, isProxied, ...(timed ? { clock } : {}) });
    } catch (thrown) {
      return refusing(name, () => asFailure(thrown));
    }
  };
  return {
    known: () => knownConnections(configDir),
    provider: (name) => opened(name, true),
    withoutNetwork: (name) => opened(name, false),
    secrets: () => [...used],
  };
}

/** `KEY_MISSING`, so that its jobs ask the steward, and continue when it is there. */
export function notConnected(name: string, faults: readonly string[] = []): Provider {
  // A fault of the whole file hides every connection.
  const fault = faultOf(faults, name) ?? faults[0];
  const known = { connections: [], presets: Object.keys(connectionPresets()) };
  const why = () =>
    failure('KEY_MISSING', `there is no connection named ${name}${fault === undefined ? '' : `; ${fault}`}`, {
      hint: fault === undefined ? connectionHint(name, known) : 'Correct the line of connections.yaml.',
      details: { sent: false, connection: name },
    });
  return refusing(name, why);
}

function refusing(name: string, why: () => AutonomousError): Provider {
  return {
    name,
    check: async () => [why()],
    send: async () => {
      throw why();
    },
  };
}
