/** What a call costs, and what a broken-off one may cost at the most. */
import { isOwnConnection, modelOf } from '../../../core/model/modelName.ts';
import { inputTokens } from '../../../core/model/usage/usage.ts';
import { cost, hasPrice, type PriceTable } from '../../../core/money/price/pricing.ts';
import { isPricedCall } from '../../../core/money/price/terms.ts';
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { Usage } from '../../../shared/money.ts';
import type { MessageRequest } from '../send/request.ts';
import type { Fitted } from './admissionPolicy.ts';

/**
 * The usage that a broken-off answer had reported: its whole prompt, and the model that it names if that is not the
 * requested one.
 */
export interface Begun {
  readonly prompt: Usage;
  readonly answered: string | null;
}

/** The connection that is paid for a call, and the prices that apply. */
export interface Payment {
  readonly provider: ConnectionName;
  readonly prices: PriceTable;
}

/** The higher of the prices of the requested and the answering model; null if the latter has no price. */
export function costOf(
  { model }: MessageRequest,
  { provider, prices }: Payment,
  usage: Usage,
  answered: string | null,
): number | null {
  if (!isPricedCall(provider, model, prices)) return 0;
  const other = answered === null ? null : modelOf(provider, answered);
  if (other !== null && !hasPrice(prices, other)) return null;
  const models = other === null ? [model] : [model, other];
  return Math.max(...models.map((one) => cost(prices, one, usage)));
}

/** The highest possible cost of a broken-off answer; empty if that is not less than the reservation. */
export function mostOf(call: MessageRequest, payment: Payment, fitted: Fitted, begun: Begun | null) {
  if (begun === null) return {};
  const usage = { ...begun.prompt, output: fitted.maxTokens };
  const micro_usd = costOf(call, payment, usage, begun.answered);
  const tokens = inputTokens(usage) + usage.output;
  return micro_usd === null || micro_usd > fitted.microUsd || tokens > fitted.tokens ? {} : { micro_usd, tokens };
}

/** A higher statement is a mistake and would exhaust every limit. */
const MOST_USD = 1_000;

/** The cost that a gateway states of its own call, micro-USD, rounded up. Null for a built-in provider, or if it states none. */
export const statedCost = ({ provider }: Payment, usd: number | null): number | null =>
  usd !== null && usd <= MOST_USD && isOwnConnection(provider) ? Math.ceil(usd * 1e6) : null;
