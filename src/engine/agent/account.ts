/** A turn that an agent pays with an account of its own, in the ledger: reserved before it, booked by what it reports. */
import { messageOf } from '../../shared/errors.ts';
import type { TurnEnd } from './ports.ts';
import type { Booking, Reported } from './sessionPorts.ts';

const NOTHING_REPORTED = 'the agent did not report what it used';

/** `reported`: what its news of the turn add up to, where its end says nothing. */
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
