/** What answers for a connection of the user, by its wire. */
import type { ModelChecks, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type Connection, isLoopback } from '../../../shared/model/connections.ts';
import { loadedContext } from './loadedContext.ts';
import { messagesProvider } from './messagesWire.ts';
import { modelHost } from './modelHost.ts';

export interface ConnectionOptions {
  readonly connection: Connection;
  /** As for `modelHost`. */
  readonly key: (fresh: boolean) => Promise<string | undefined>;
  readonly proxy: typeof fetch | null;
  /** Absent: `check` opens no connection. */
  readonly clock?: Pick<Clock, 'timer'>;
}

export function connectionProvider({ connection, ...options }: ConnectionOptions): Provider {
  const { name, wire, baseUrl, auth, headers, keyEnv } = connection;
  const variable = keyEnv === null ? '' : `In a terminal: export ${keyEnv}=KEY. `;
  const host = modelHost({
    ...options,
    baseUrl,
    auth,
    headers,
    missing: {
      message: `there is no API key for the connection ${name}`,
      hint: `${variable}In VS Code: run "Autonomous: Set API Key". Or let a command print it: autonomous models add ${name} --key-command COMMAND.`,
    },
    baseHint: `baseUrl of ${name} in connections.yaml`,
  });
  const checks: ModelChecks = {
    key: (model) => `${wire} ${baseUrl} ${model}`,
    isLocal: isLoopback(new URL(baseUrl).hostname),
    context: (model, signal) => loadedContext(connection.preset, host, model, signal),
  };
  if (wire === 'messages') return { ...messagesProvider(name, host), checks };
  return {
    checks,
    name,
    check: () => host.check(),
    send: async (request, signal) => {
      const { sendOverSdk } = await import('./sdk/sdkWire.ts');
      return sendOverSdk({ ...connection, wire }, host, request, signal);
    },
  };
}
