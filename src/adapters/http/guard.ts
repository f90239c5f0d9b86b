/**
 * Who may ask, for requests and WebSockets alike. Any page in a browser can reach a port of this machine: so the name that it
 * was reached by must be ours (a name that was bound anew leads elsewhere), an origin must be allowed, and the token is in a
 * header that no page sends by itself. There are no cookies.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
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
  /** As the `Host` header has them, in lower case, with the port. */
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

const BEARER = 'bearer.';

/** Names that lead here. */
export function hostsOf(port: number): ReadonlySet<string> {
  return new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
}

/** Whether the page, if it is one, may be told anything at all. */
export function strangerRefusal({ host, origin }: Pick<Caller, 'host' | 'origin'>, rules: Rules): Refusal | null {
  if (host === undefined || !rules.hosts.has(host.toLowerCase())) {
    return {
      status: 403,
      code: 'FORBIDDEN',
      message: 'this server is not reached by that name',
      hint: 'Use 127.0.0.1 or localhost, with the port.',
    };
  }
  if (origin !== undefined && !rules.origins.has(origin)) {
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
  const given = /^bearer +(\S+)$/i.exec(caller.authorization ?? '')?.[1] ?? protocolToken(caller.protocols);
  if (given !== undefined && isSame(given, rules.token)) return null;
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

/** In a time that says nothing about where they differ, or of what length they are. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
