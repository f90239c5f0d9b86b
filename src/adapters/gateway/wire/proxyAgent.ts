/** A `fetch` through a proxy, of the parts of undici that it needs: the whole package also has sockets, caches and mocks, 60 kB compressed. */
import methods from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import web from 'undici/lib/web/fetch/index.js';

// As the package's own index does: without its methods, a dispatcher cannot ask a proxy to connect.
Object.assign(Dispatcher.prototype, methods);

/** `httpsProxy` empty: no proxy. */
export function fetchThrough(
  httpsProxy: string,
  noProxy: string,
  certificate: { readonly cert: string; readonly key: string } | null = null,
): typeof fetch {
  const send = web.fetch;
  // The server itself is shown the certificate, directly and behind the proxy; the proxy is not.
  const tls = certificate === null ? {} : { connect: certificate, requestTls: certificate };
  const dispatcher = new EnvHttpProxyAgent({ httpsProxy, httpProxy: '', noProxy, ...tls });
  // The library's types use its own copies of the web's classes.
  return ((input: string, init: object) => send(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
