/** Types of the files of undici that are imported by their paths. */
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import { EnvHttpProxyAgent } from 'undici';
  export = EnvHttpProxyAgent;
}

declare module 'undici/lib/web/fetch/index.js' {
  import type { fetch } from 'undici';

  const parts: { readonly fetch: typeof fetch };
  export = parts;
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import { Dispatcher } from 'undici';
  export = Dispatcher;
}

declare module 'undici/lib/api/index.js' {
  const methods: object;
  export = methods;
}
