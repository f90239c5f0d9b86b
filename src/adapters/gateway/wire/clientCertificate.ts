/** A `fetch` that presents a client certificate, for servers that ask for one (mutual TLS). */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { failure, messageOf } from '../../../shared/errors.ts';
import type { Connection } from '../../../shared/model/connections.ts';
import { noProxyFor, proxyFor } from './envProxy.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Null if the connection has none. Throws KEY_MISSING for files that cannot be used. */
export function certificateOf({ name, clientCert, clientKey }: Connection): Certificate | null {
  if (clientCert === null || clientKey === null) return null;
  try {
    const read = { cert: readFileSync(clientCert, 'utf8'), key: readFileSync(clientKey, 'utf8') };
    createSecureContext(read);
    return read;
  } catch (thrown) {
    throw failure(
      'KEY_MISSING',
      `the client certificate of the connection ${name} cannot be used: ${messageOf(thrown)}`,
      {
        hint: 'clientCert and clientKey in connections.yaml are PEM files that belong together; the key has no password.',
        details: { sent: false },
      },
    );
  }
}

/** Follows HTTPS_PROXY and NO_PROXY of the environment, also in the editor: its own `fetch` presents no certificate. */
export function certifiedFetch(env: Env, certificate: Certificate): typeof fetch {
  let made: Promise<typeof fetch> | null = null;
  return async (input, init) => {
    made ??= import('./proxyAgent.ts').then(({ fetchThrough }) =>
      fetchThrough(proxyFor(env), noProxyFor(env), certificate),
    );
    return (await made)(input, init);
  };
}
