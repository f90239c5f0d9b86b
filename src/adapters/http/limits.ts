/** Limits of the API per client. */

export const API_LIMITS = {
  bodyBytes: 4 * 1024 * 1024,
  /** Nesting of objects and lists. */
  bodyDepth: 64,
  headerBytes: 16 * 1024,
  /** Limit for all callers with the token; a burst of twice as many is allowed. */
  requestsPerSecond: 100,
  /** Open connections of one address. */
  connections: 256,
  requestsPerConnection: 1_000,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  /** Limit of a connection without any traffic, for instance if the client does not read its answer. */
  idleMs: 60_000,
  /** WebSockets open at once. */
  listeners: 100,
  /** Unsent bytes per listener. Further events stay in the rows. */
  backlogBytes: 256 * 1024,
  /** A listener that reads nothing for this long is cut off. */
  stalledMs: 30_000,
  pingMs: 30_000,
  /** Entries of a page of the list. */
  page: 50,
  maxPage: 200,
} as const;

export type ApiLimits = { readonly [K in keyof typeof API_LIMITS]: number };
