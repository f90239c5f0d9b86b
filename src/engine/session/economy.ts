/** Computes what rereading a conversation costs, from its usage and the prices of its model, and whether it is handed over. */
import { PRICES } from '../../core/money/price/prices.ts';
import { type PriceTable, pricesAt, windowOf } from '../../core/money/price/pricing.ts';
import {
  type HandoverCase,
  type HandoverReason,
  handoverDue,
  isCheaperToContinue,
} from '../../core/session/handover.ts';
import type { AgentRole } from '../../shared/session.ts';
import type { SessionSpec } from './ports.ts';
import { SUMMARY_TOKENS } from './prompts/handover.ts';
import { toolDefinitions } from './tools/roleTools.ts';
import type { Conversation } from './transcript/history.ts';
import { blocksOf, type Message } from './transcript/messages.ts';

/** Characters of a token at the least, for text that was not sent yet. */
const CHARACTERS = 3;
/** Tokens of an image at the most, as the provider documents them. */
const IMAGE_TOKENS = 4_800;

export interface SessionSettings {
  /** Defaults to the built-in table. */
  readonly prices?: PriceTable;
}

/** Decides for one session. */
export interface Economy {
  handoverDue(conversation: Conversation): HandoverReason | null;
  isCheaperToContinue(conversation: Conversation): boolean;
}

export function economyOf(prices: PriceTable = PRICES): Economy {
  const caseOf = (conversation: Conversation): HandoverCase => {
    const { spec, isSummarized, window } = conversation;
    const use = isTalk(spec?.role) ? { ...conversation.use, uncached: 0, cold: 0 } : conversation.use;
    const model = spec?.model ?? '';
    const price = pricesAt(prices, model, use.first);
    const known = [window, windowOf(prices, model)].filter((one) => one !== null);
    return {
      use,
      prices: price,
      fresh: {
        cachedShare: spec === null ? 0 : cachedShare(spec),
        summary: SUMMARY_TOKENS,
        isSummarized,
      },
      next: use.size + newTokens(conversation.messages),
      limits: { tier: price?.upTo ?? null, window: known.length === 0 ? null : Math.min(...known) },
    };
  };
  return {
    handoverDue: (conversation) => handoverDue(caseOf(conversation)),
    isCheaperToContinue: (conversation) => isCheaperToContinue(caseOf(conversation), roundsOf(conversation)),
  };
}

/** The pauses of a person are no reason to forget what was said: what they cost counts as if the cache had lasted. */
const isTalk = (role: AgentRole | undefined): boolean => role === 'project' || role === 'main';

/** Requests that an assignment took in this session so far. */
const roundsOf = ({ turns, assignments }: Conversation): number => turns / Math.max(1, assignments);

/** System, tools and the shared texts, as a share of the first request. */
function cachedShare(spec: SessionSpec): number {
  const { system, shared = '', phase = '', opening } = spec;
  const kept = system.length + shared.length + phase.length + JSON.stringify(toolDefinitions(spec)).length;
  return kept / (kept + opening.length);
}

/** Estimate of what the last message adds to the last prompt and its reply. */
function newTokens(messages: readonly Message[]): number {
  const last = messages.at(-1);
  if (last?.role !== 'user') return 0;
  let images = 0;
  const text = JSON.stringify(blocksOf(last), (_, value: unknown) => {
    if ((value as { readonly type?: unknown } | null)?.type !== 'image') return value;
    images++;
    return null;
  });
  return Math.ceil(text.length / CHARACTERS) + images * IMAGE_TOKENS;
}
