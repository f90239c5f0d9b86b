/** What answers for a connection of the user, by its wire. */
import type { ModelChecks, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, failure } from '../../../shared/errors.ts';
import { type Connection, isLoopback, keyVariables } from '../../../shared/model/connections.ts';
import { loadedContext } from './loadedContext.ts';
import { messagesProvider } from './messagesWire.ts';
import { type HostOptions, modelHost } from './modelHost.ts';
import { isServed, listedWithin, needsKey, servedModels } from './servedModels.ts';
import { vertexProvider } from './vertexWire.ts';

export interface ConnectionOptions {
  readonly connection: Connection;
  /** As for `modelHost`. */
  readonly key: (fresh: boolean) => Promise<string | undefined>;
  readonly proxy: typeof fetch | null;
  readonly isProxied?: boolean;
  /** Absent: `check` opens no connection. */
  readonly clock?: Pick<Clock, 'timer'>;
}

const VERSION = /\/v1(?:beta)?$/;

export function connectionProvider({ connection, ...options }: ConnectionOptions): Provider {
  const { name, wire, baseUrl, auth, headers } = connection;
  const variables = keyVariables(connection).map((variable) => `${variable}=KEY`);
  const inTerminal =
    variables.length === 0 ? `autonomous models add ${name} --key-env VARIABLE` : `export ${variables.join(' ')}`;
  const variable = `In a terminal: ${inTerminal}. `;
  const settings: Omit<HostOptions, 'baseUrl'> = {
    ...options,
    auth,
    headers,
    missing: {
      message: `there is no API key for the connection ${name}`,
      hint: `${variable}In VS Code: run "Autonomous: Set API Key". Or let a command print it: autonomous models add ${name} --key-command COMMAND`,
    },
    reachHint: reachHint(connection),
  };
  const host = modelHost({ ...settings, baseUrl });
  // What a server states of itself is not below the version of another protocol.
  const server = modelHost({ ...settings, baseUrl: baseUrl.replace(VERSION, '') });
  const checks: ModelChecks = {
    key: (model) => `${wire} ${baseUrl} ${model}`,
    isLocal: isLoopback(new URL(baseUrl).hostname),
    context: (model, signal) => loadedContext(connection.preset, server, model, signal),
    models: (signal) => servedModels(host, connection, signal),
    needsKey: (signal) => needsKey(host, wire, signal),
  };
  const check = async (models: readonly string[]): Promise<readonly AutonomousError[]> => {
    const problems = await host.check();
    const { clock } = options;
    if (problems.length > 0 || models.length === 0 || clock === undefined || !checks.isLocal) return problems;
    return notServed(connection, await listed(clock, checks), models);
  };
  if (wire === 'messages') return { ...messagesProvider(name, host), check, checks };
  if (wire === 'vertex') return { ...vertexProvider(name, host), check, checks };
  return {
    checks,
    name,
    check,
    send: async (request, signal) => {
      const { sendOverSdk } = await import('./sdk/sdkWire.ts');
      return sendOverSdk({ ...connection, wire }, host, request, signal);
    },
  };
}

function reachHint({ name, baseUrl, start }: Connection): string {
  const change = `autonomous models add ${name} --base-url URL`;
  if (start === null || !isLoopback(new URL(baseUrl).hostname)) {
    return `Check the network and the address: curl -I ${baseUrl}. To change it: ${change}`;
  }
  return `Start it: ${start}. If it has another address: ${change}`;
}

/** A server that does not list its models may still have them. */
async function listed(clock: Pick<Clock, 'timer'>, checks: ModelChecks): Promise<readonly string[] | null> {
  try {
    const served = await listedWithin(clock, (signal) => checks.models(signal));
    return served === null ? null : Object.keys(served);
  } catch {
    return null; // the call itself reports what is wrong
  }
}

/** A local server has only the models that its user loaded. */
export function notServed(
  { name, load }: Connection,
  served: readonly string[] | null,
  models: readonly string[],
): AutonomousError[] {
  if (served === null) return [];
  return models
    .filter((model) => !isServed(served, model))
    .map((model) =>
      failure('MODEL_NOT_CHOSEN', `${name} has no model ${JSON.stringify(model.slice(0, 100))}`, {
        hint: [
          served.length === 0 ? 'It has none.' : `It has: ${served.slice(0, 20).join(', ')}.`,
          ...(load === null ? [] : [`To load it: ${load.replace('MODEL', () => model)}`]),
        ].join(' '),
        details: { sent: false },
      }),
    );
}
