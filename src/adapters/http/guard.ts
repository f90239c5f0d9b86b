/**
 * Checks the callers of requests and WebSockets. Any page in a browser can reach a port of this machine: so the host
 * name of the request must be a known one (a rebound name leads elsewhere), an origin must be allowed, and the token is
 * in a header that no page sends without a script. There are no cookies.
 */
import { bearerOf, isSameToken, strangerBy } from '../loopback/caller.ts';
import type { Refusal } from './errors.ts';

interface Caller {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** `Sec-WebSocket-Protocol`: browsers cannot set another header on a WebSocket. */
  readonly protocols?: string | undefined;
}

export interface Rules {
  readonly token: string;
  /** In the form of the `Host` header, in lower case, with the port. */
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

const BEARER = 'bearer.';

/** Refuses a page, or another caller, that must not receive any information. */
export function strangerRefusal(caller: Pick<Caller, 'host' | 'origin'>, rules: Rules): Refusal | null {
  const refused = strangerBy(caller, rules);
  if (refused === 'host') {
    return {
      status: 403,
      code: 'FORBIDDEN',
      message: 'this server is not reached by that name',
      hint: 'Use 127.0.0.1 or localhost, with the port.',
    };
  }
  if (refused === 'origin') {
    return {
      status: 403,
      code: 'FORBIDDEN',
      message: 'pages of that origin may not ask',
      hint: 'Allow it with --allow-origin.',
    };
  }
  return null;
}

export function tokenRefusal(caller: Pick<Caller, 'authorization' | 'protocols'>, rules: Rules): Refusal | null {
  const given = bearerOf(caller.authorization) ?? protocolToken(caller.protocols);
  if (given !== undefined && isSameToken(given, rules.token)) return null;
  return {
    status: 401,
    code: 'UNAUTHORIZED',
    message: given === undefined ? 'a token is needed' : 'that token is not of this workspace',
    hint: 'Send it as Authorization: Bearer <token>; autonomous serve --print-token shows it.',
  };
}

function protocolToken(protocols: string | undefined): string | undefined {
  const offered = (protocols ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(BEARER))?.slice(BEARER.length);
}
