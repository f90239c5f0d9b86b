/** Converts a limit that refuses a call into the failure that all surfaces show. */
import { type AutonomousError, failure } from '../../shared/errors.ts';
import { type LimitRefusal, raisedLimit } from './budget.ts';
import { limitRefusal, limitUnit } from './limitWords.ts';
import type { CountedRefusal } from './usageLimits.ts';

export type Refusal = LimitRefusal | CountedRefusal;

const CENT = 10_000;

export function limitReached(refusal: Refusal): AutonomousError {
  if (!('limitMicro' in refusal)) {
    const { limit, most, used, open, wanted } = refusal;
    return failure(
      'LIMIT_REACHED',
      limitRefusal(limit, `${most} ${limitUnit(limit)}`, `${used} used, ${open} in flight, up to ${wanted} wanted`),
      {
        hint: 'Raise the limit to continue.',
        details: { limit, most, used, open, wanted, raiseTo: raisedLimit(most, used, wanted), resetsAt: null },
      },
    );
  }
  const usd = (micro: number) => `$${(micro / 1e6).toFixed(4)}`;
  const { limit, limitMicro, spentMicro, unsettledMicro, reservedMicro, wantedMicro, resetsAt } = refusal;
  const held = [
    `${usd(spentMicro - unsettledMicro)} settled`,
    `${usd(unsettledMicro)} not settled`,
    `${usd(reservedMicro)} in flight`,
    `up to ${usd(wantedMicro)} wanted`,
  ];
  return failure('LIMIT_REACHED', limitRefusal(limit, usd(limitMicro), held.join(', ')), {
    hint: resetsAt === null ? 'Raise the limit to continue.' : 'Wait for the limit to reset, or raise it.',
    details: {
      limit,
      limitMicroUsd: limitMicro,
      spentMicroUsd: spentMicro,
      reservedMicroUsd: reservedMicro,
      wantedMicroUsd: wantedMicro,
      // Whole cents, so that the amount in the question is the amount.
      raiseTo: Math.ceil(raisedLimit(limitMicro, spentMicro, wantedMicro) / CENT) * CENT,
      resetsAt,
    },
  });
}
