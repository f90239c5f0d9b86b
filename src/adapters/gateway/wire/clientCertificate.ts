/** A `fetch` that presents a client certificate, for servers that ask for one (mutual TLS). */
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { errnoOf, failure, messageOf } from '../../../shared/errors.ts';
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
  const unusable = (what: string) =>
    failure('KEY_MISSING', `the client certificate of the connection ${name} cannot be used: ${what}`, {
      hint: 'clientCert and clientKey are PEM files that belong together; the key has no password.',
      details: { sent: false },
    });
  const [cert, key] = [clientCert, clientKey].map((file) => {
    try {
      return readFileSync(file, 'utf8');
    } catch (thrown) {
      throw unusable(`${file} cannot be read (${errnoOf(thrown) ?? messageOf(thrown)})`);
    }
  });
  const use = (part: SecureContextOptions, what: string): void => {
    try {
      createSecureContext(part);
    } catch (thrown) {
      // OpenSSL's own words name no file.
      throw unusable(`${what} (${errnoOf(thrown) ?? messageOf(thrown)})`);
    }
  };
  const read = { cert: cert ?? '', key: key ?? '' };
  use({ cert: read.cert }, `${clientCert} is not a certificate in PEM`);
  use({ key: read.key }, `${clientKey} is not a key in PEM without a password`);
  use(read, `${clientKey} is not the key of ${clientCert}`);
  return read;
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
