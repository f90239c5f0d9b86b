/**
 * Checks the callers of requests and WebSockets. Any page in a browser can reach a port of this machine: so the host
 * name of the request must be one of `hostsOf` (a rebound name leads elsewhere), an origin must be allowed, and the
 * token is in a header that no page sends without a script. There are no cookies.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Host names of this server, in the form of the `Host` header, in lower case. */
export function hostsOf(port: number): ReadonlySet<string> {
  return new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
}

/** Returns which of the two is refused, or null. */
export function strangerBy(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  allowed: { readonly hosts: ReadonlySet<string>; readonly origins: ReadonlySet<string> },
): 'host' | 'origin' | null {
  if (host === undefined || !allowed.hosts.has(host.toLowerCase())) return 'host';
  return origin === undefined || allowed.origins.has(origin) ? null : 'origin';
}

/** The token of `Authorization: Bearer`. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Compares in a time that does not depend on where the tokens differ, or on their length. */
export function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
