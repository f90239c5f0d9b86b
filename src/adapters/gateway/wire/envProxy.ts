/** Sends requests to a model through the HTTP proxy that the environment names, as curl and git do. */
import { isLoopback } from '../../../shared/model/connections.ts';

type Env = Readonly<Record<string, string | undefined>>;

const named = (env: Env, name: string): string => env[name.toLowerCase()] || env[name] || '';

/** Empty if there is none. */
export const proxyFor = (env: Env): string => named(env, 'HTTPS_PROXY');

/** With this machine, which is never reached through a proxy: plain http there would show the key to it. */
export function noProxyFor(env: Env): string {
  const hosts = named(env, 'NO_PROXY');
  return hosts.trim() === '*' ? '*' : ['localhost', '127.0.0.1', '[::1]', hosts].join(',');
}

/**
 * A `fetch` that follows HTTPS_PROXY and NO_PROXY, the lower case first; null if no proxy is named. Never for this machine: plain
 * http there would show the key to the proxy. For processes outside the editor, whose `fetch` follows the editor's own settings.
 */
export function proxiedFetch(env: Env): typeof fetch | null {
  const proxy = proxyFor(env);
  if (proxy === '') return null;
  let made: Promise<typeof fetch> | null = null;
  return async (input, init) => {
    if (isLoopback(new URL(String(input)).hostname)) return fetch(input, init);
    // The library is loaded with the first request.
    made ??= import('./proxyAgent.ts').then(({ fetchThrough }) => fetchThrough(proxy, noProxyFor(env)));
    return (await made)(input, init);
  };
}
