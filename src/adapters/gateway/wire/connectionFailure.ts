/** Classifies why a request to a model's server had no answer, and whether the request can have left this machine. */
import { type AutonomousError, failure } from '../../../shared/errors.ts';

/** Codes of connections that were never made, so that no request can have left. */
const NOT_SENT: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name of the server is unknown (DNS)',
  EAI_AGAIN: 'the name of the server cannot be looked up (DNS)',
  ECONNREFUSED: 'the server refuses connections',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'there is no network',
  ENETDOWN: 'there is no network',
  BAD_PORT: 'no program may use this port for HTTP: choose another',
  UND_ERR_CONNECT_TIMEOUT: 'the server does not take the connection in time',
  TLS_CUT: 'the connection was lost before it was encrypted',
};
/** Prefix of the code of a proxy that refused to connect; the status follows. */
const PROXY_REFUSED = 'PROXY_';
/** Failures whose own codes are missing or shared with others: a pattern of the message, and the code that they get. */
const NAMED: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^bad port$/, () => 'BAD_PORT'],
  [/^Proxy response \((\d{3})\)/, ([, status]) => PROXY_REFUSED + status],
  [/ before secure TLS connection was established$/, () => 'TLS_CUT'],
];
/** Codes of a proxy whose URL cannot be used. */
const BAD_PROXY: readonly string[] = ['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG'];
const CERTIFICATE_WANTED =
  /^ERR_SSL_.*ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|CERTIFICATE_UNKNOWN)$/;
const TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;

/**
 * Only error codes of the network are kept: a message may quote anything. `isProxied`: the request went through the
 * proxy in HTTPS_PROXY. `details.sent` is false if the request cannot have left this machine.
 */
export function connectionFailure(thrown: unknown, isProxied: boolean): AutonomousError {
  const code = codeOf(thrown) ?? 'unknown';
  const known = NOT_SENT[code] ?? proxyFault(code, isProxied) ?? tlsFault(code);
  return failure('MODEL_UNAVAILABLE', `${known ?? 'the connection was lost before an answer'} [${code}]`, {
    hint: hintFor(code, isProxied),
    details: { sent: known === undefined, reason: code },
  });
}

/** Faults of an encrypted connection that no authority of a proxy explains. */
const TLS_OTHERS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not answer with TLS: its address may begin with http',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not answer with TLS: its address may begin with http',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another name (TLS)',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired (TLS)',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet (TLS)',
};

function tlsFault(code: string): string | undefined {
  if (Object.hasOwn(TLS_OTHERS, code)) return TLS_OTHERS[code];
  if (CERTIFICATE_WANTED.test(code)) return 'the server wants a client certificate that it accepts (TLS)';
  return TLS.test(code) ? 'the certificate of the server is not trusted (TLS)' : undefined;
}

function proxyFault(code: string, isProxied: boolean): string | undefined {
  if (code.startsWith(PROXY_REFUSED)) {
    const proxy = isProxied ? 'the proxy in HTTPS_PROXY' : 'the proxy';
    return `${proxy} refused to connect to the server (status ${code.slice(PROXY_REFUSED.length)})`;
  }
  return isProxied && BAD_PROXY.includes(code) ? 'HTTPS_PROXY is not the URL of an HTTP proxy' : undefined;
}

function hintFor(code: string, isProxied: boolean): string {
  if (CERTIFICATE_WANTED.test(code)) return 'Set clientCert and clientKey of the connection in connections.yaml.';
  if (TLS.test(code) && !Object.hasOwn(TLS_OTHERS, code))
    return 'Behind a proxy that inspects TLS, set NODE_EXTRA_CA_CERTS to the file of its certificate.';
  if (!isProxied) return code.startsWith(PROXY_REFUSED) ? 'Check the setting "http.proxy" and its credentials.' : '';
  if (code === `${PROXY_REFUSED}407`)
    return 'Put the user and the password into HTTPS_PROXY: http://user:password@proxy:8080.';
  return 'HTTPS_PROXY is set. Check that the proxy can be reached, or list the server in NO_PROXY.';
}

/** The named code, or else the first `code`, in the chain of causes; also of the errors that an AggregateError holds. */
function codeOf(thrown: unknown): string | undefined {
  let code: string | undefined;
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 8; depth++) {
    const named = namedCode(at.message);
    if (named !== null) return named;
    const own: unknown = 'code' in at ? at.code : undefined;
    if (typeof own === 'string') code ??= own.slice(0, 60);
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return code;
}

function namedCode(message: string): string | null {
  for (const [pattern, code] of NAMED) {
    const match = pattern.exec(message);
    if (match !== null) return code(match);
  }
  return null;
}
