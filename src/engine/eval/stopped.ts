/** What the steps of an eval share: the failure of an eval that was stopped by a signal, and the time of a record. */
import type { Clock } from '../../shared/clock.ts';
import { type AutonomousError, failure } from '../../shared/errors.ts';

export const evalStopped = (): AutonomousError =>
  failure('ABORTED', 'the eval was stopped; its results are recorded', {
    hint: 'Run the same command again: it continues with what is missing.',
  });

/** Throws ABORTED after `signal`. */
export function stopIf(signal: AbortSignal): void {
  if (signal.aborted) throw evalStopped();
}

/** ISO 8601 UTC. */
export const now = ({ clock }: { readonly clock: Clock }): string => new Date(clock.now()).toISOString();
