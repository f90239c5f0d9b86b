/** Limits of the model server: the cost of an agent, or of a program that poses as one. */

export const LIMITS = {
  /** The limit of the API. */
  bodyBytes: 32 * 1024 * 1024,
  /** Limit of all running requests of one session: each is held twice, here and in the gateway. */
  bytesAtOnce: 64 * 1024 * 1024,
  /** Nesting of objects and lists. */
  bodyDepth: 256,
  headerBytes: 32 * 1024,
  headersMs: 10_000,
  /** Time limit for receiving a whole request. */
  requestMs: 60_000,
  /** Agents reuse a connection after tools that took minutes. */
  keepAliveMs: 300_000,
  /** A reader that reads nothing for this long is cut off. */
  stalledMs: 60_000,
  connections: 256,
  /** Limit of one session, its subagents included; the gateway's queue follows. */
  callsAtOnce: 32,
} as const;
