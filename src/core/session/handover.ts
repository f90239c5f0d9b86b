/**
 * Decides when a conversation is handed over to a fresh one: from what rereading it has cost, and from the length at which its next
 * prompt costs more or no longer fits. Works in the prices of its model alone.
 */

/** What the requests of one conversation reported, in tokens. A prompt is everything that was sent, cached or not. */
export interface ConversationUse {
  /** Requests with a reply. */
  readonly calls: number;
  /** The first prompt. */
  readonly first: number;
  /** The last prompt with its reply: what the next prompt begins with. */
  readonly size: number;
  /** Sum of the replies. */
  readonly output: number;
  /** Sum of what was sent again, request by request. */
  readonly resent: number;
  /** What of it was not read from the cache. */
  readonly uncached: number;
  /** Requests for which the cache held less than half of what was sent again: it had expired. */
  readonly cold: number;
}

export const UNUSED: ConversationUse = { calls: 0, first: 0, size: 0, output: 0, resent: 0, uncached: 0, cold: 0 };

/** One reply's usage. */
export interface CallUse {
  readonly prompt: number;
  readonly cacheRead: number;
  readonly output: number;
}

export function addCall(before: ConversationUse, call: CallUse): ConversationUse {
  const again = Math.min(before.size, call.prompt);
  const uncached = Math.max(0, again - call.cacheRead);
  return {
    calls: before.calls + 1,
    first: before.calls === 0 ? call.prompt : before.first,
    size: call.prompt + call.output,
    output: before.output + call.output,
    resent: before.resent + again,
    uncached: before.uncached + uncached,
    cold: before.cold + (uncached > again / 2 ? 1 : 0),
  };
}

/** Prices of a token, all in one unit. */
export interface TokenPrices {
  /** A token that is sent and stored in the cache. */
  readonly write: number;
  readonly read: number;
  readonly output: number;
}

/** What a fresh conversation would consist of. */
export interface FreshContext {
  /** Share of the first prompt that other conversations keep in the cache: system, tools and the shared text. In [0, 1]. */
  readonly cachedShare: number;
  /** Expected tokens of a summary. */
  readonly summary: number;
  /** Whether the first prompt holds the summary of an earlier conversation already. */
  readonly isSummarized: boolean;
}

/** `reread`: rereading has cost more than a handover; `tier`, `window`: the next prompt could cost more a token, or not fit. */
export type HandoverReason = 'reread' | 'tier' | 'window' | 'refused';

/** Results that the next conversation is expected to read again. */
export const READ_AGAIN = 4;
/** Share of a limit that a prompt may reach. */
const NEAR = 0.9;

/** The lengths that a prompt should stay below, in tokens. Null for none. */
export interface PromptLimits {
  readonly tier: number | null;
  readonly window: number | null;
}

export interface HandoverCase {
  readonly use: ConversationUse;
  /** Null if the model has no price: then only the limits count. */
  readonly prices: TokenPrices | null;
  readonly fresh: FreshContext;
  /** Upper estimate of the next prompt. */
  readonly next: number;
  readonly limits: PromptLimits;
}

/** The reason to hand over before the next request, or null to continue. */
export function handoverDue(given: HandoverCase): HandoverReason | null {
  const { use, limits, next } = given;
  // Before it is through with reading again, a fresh conversation would be no shorter.
  if (use.calls <= READ_AGAIN) return null;
  if (isNear(next, limits.window)) return 'window';
  if (isNear(next, limits.tier)) return 'tier';
  return isRereadDear(given) ? 'reread' : null;
}

const isNear = (tokens: number, limit: number | null): boolean => limit !== null && tokens > NEAR * limit;

function isRereadDear({ use, prices, fresh }: HandoverCase): boolean {
  if (prices === null) return false;
  const { freshSize, handover } = costsOf(use, prices, fresh);
  const paid = prices.read * (use.resent - use.uncached) + prices.write * use.uncached;
  const wouldPay = freshSize * (prices.read * (use.calls - 1 - use.cold) + prices.write * use.cold);
  return paid - wouldPay > handover;
}

/** Size of a fresh conversation that has read again what it needs, and the price of one handover. */
function costsOf(use: ConversationUse, prices: TokenPrices, fresh: FreshContext) {
  const round = Math.max(0, use.size - use.first) / use.calls;
  const reply = use.output / use.calls;
  const summary = fresh.isSummarized ? 0 : fresh.summary;
  const readAgain = READ_AGAIN * (prices.write * round + prices.output * reply);
  const written = use.first * (1 - fresh.cachedShare) + summary;
  return {
    freshSize: use.first + summary + READ_AGAIN * round,
    handover: prices.read * use.size + prices.output * fresh.summary + prices.write * written + readAgain,
    readAgain,
  };
}

/**
 * Whether another assignment of about `rounds` requests costs less in this conversation than in a fresh one. That one needs no summary,
 * because the engine states the work so far, and both write the assignment. True for an unused conversation or a model without a price.
 */
export function isCheaperToContinue(
  { use, prices, fresh }: Pick<HandoverCase, 'use' | 'prices' | 'fresh'>,
  rounds: number,
): boolean {
  if (prices === null || use.calls === 0) return true;
  return rounds * prices.read * (use.size - use.first) <= costsOf(use, prices, fresh).readAgain;
}
