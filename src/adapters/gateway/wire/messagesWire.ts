/** The Messages API: requests and answers pass as they are. */
import { withoutKept } from '../../../core/model/keptParts.ts';
import { KEY_MISSING } from '../../../core/workspace/notReady.ts';
import type { Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Auth } from '../../../shared/model/connections.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import { type ModelHost, modelHost } from './modelHost.ts';

/** Throws INVALID_INPUT for a base URL that would reveal the key. */
export function messagesProvider(name: ConnectionName, host: ModelHost): Provider {
  return {
    name,
    countsTokens: true,
    check: () => host.check(),
    send: ({ path, method, headers, body }, signal) =>
      host.send(
        path,
        {
          method,
          headers: { 'anthropic-version': '2023-06-01', ...headers },
          body: method === 'GET' ? null : withoutKept(body),
        },
        signal,
      ),
  };
}

export interface AnthropicOptions {
  readonly baseUrl: string;
  readonly key: () => Promise<string | undefined>;
  /** Defaults to `x-api-key`. */
  readonly auth?: Auth;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock?: Pick<Clock, 'timer'>;
  readonly proxy?: typeof fetch | null;
}

/** Anthropic's API, or what ANTHROPIC_BASE_URL names instead. Throws as `messagesProvider`. */
export function anthropicProvider({ auth = 'x-api-key', ...options }: AnthropicOptions): Provider {
  const base = 'ANTHROPIC_BASE_URL, or the setting autonomous.baseUrl';
  const reachHint = `Check the network and the base URL (${base}): curl -I ${options.baseUrl}`;
  return messagesProvider('anthropic', modelHost({ ...options, auth, missing: KEY_MISSING, reachHint }));
}
