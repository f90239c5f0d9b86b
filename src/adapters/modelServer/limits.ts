/** Bounds of the model server: what an agent, or who poses as one, may cost us. */

export const LIMITS = {
  /** The API's own. */
  bodyBytes: 32 * 1024 * 1024,
  /** Limit of all running requests of one session: each is held here and where it is answered. */
  bytesAtOnce: 64 * 1024 * 1024,
  /** Nesting of objects and lists. */
  bodyDepth: 256,
  headerBytes: 32 * 1024,
  headersMs: 10_000,
  /** For a whole request to come. */
  requestMs: 60_000,
  /** Agents use a connection again after tools that took minutes. */
  keepAliveMs: 300_000,
  /** A reader who takes nothing for so long is cut off. */
  stalledMs: 60_000,
  connections: 256,
  /** Limit of one session, its subagents included; the gateway's queue follows. */
  callsAtOnce: 32,
} as const;
