/**
 * Books a turn that an agent pays with a separate account: reserved before the turn, booked with the cost that the agent reports.
 */
import { messageOf } from '../../shared/errors.ts';
import type { TurnEnd } from './ports.ts';
import type { Booking, Reported } from './sessionPorts.ts';

const NOTHING_REPORTED = 'the agent did not report what it used';

/** `reported` is the sum of the agent's updates, for a turn whose end has no usage. */
export async function paid(
  booking: Booking,
  turn: () => Promise<TurnEnd>,
  reported: () => Reported | null,
): Promise<TurnEnd> {
  let end: TurnEnd;
  try {
    end = await turn();
  } catch (thrown) {
    await book(booking, reported(), messageOf(thrown));
    throw thrown;
  }
  const news = reported();
  const usage = end.usage ?? news?.usage ?? null;
  const costMicroUsd = end.costMicroUsd ?? news?.costMicroUsd ?? null;
  await book(booking, { usage, costMicroUsd }, NOTHING_REPORTED);
  return end;
}

async function book(booking: Booking, reported: Reported | null, otherwise: string): Promise<void> {
  if (reported === null || (reported.usage === null && reported.costMicroUsd === null))
    return booking.unsettle(otherwise);
  return booking.settle(reported);
}
