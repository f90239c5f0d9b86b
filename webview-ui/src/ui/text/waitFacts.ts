/** A wait in words. Pure. */
import type { Waiting } from '../../../../src/shared/waiting.ts';
import { t } from '../../store/l10n.ts';
import { localTime, visible } from './format.ts';

/** Returns null for questions and pauses, which have their own display. */
export function apart(waiting: Waiting | null): Waiting | null {
  const hasPlace = waiting?.code === 'question' || waiting?.code === 'paused';
  return hasPlace ? null : waiting;
}

/** The reason, and the time of the retry. `now` is epoch milliseconds. */
export function waitText({ code, reason, until }: Waiting, now: number): string {
  const why = visible(reason);
  const at = until === null || Date.parse(until) <= now ? null : localTime(until);
  if (code === 'parked') return t('Its project is parked: {0}', why);
  if (code === 'queue') return t('Waiting for its turn: {0}', why);
  if (code === 'time')
    return at === null ? t('Waiting, as set in its step') : t('Waiting until {0}, as set in its step', at);
  if (at === null) return why === '' ? t('Trying again') : t('{0}, trying again', why);
  return why === '' ? t('Retries {0}', at) : t('{0}, retries {1}', why, at);
}

/** Minimum duration for showing the start of a wait. */
const LONG_MS = 60_000;

/** When the words of a wait change, in epoch milliseconds. */
export function changesAt({ since, until }: Waiting): readonly number[] {
  return [...(until === null ? [] : [Date.parse(until)]), ...(since === null ? [] : [Date.parse(since) + LONG_MS])];
}

/** Empty for a recent wait, or one whose start is unknown. */
export function sinceText({ since }: Waiting, now: number): string {
  return since === null || now - Date.parse(since) < LONG_MS ? '' : t('since {0}', localTime(since));
}
