/** The failure of an eval that was stopped by a signal. */
import { type AutonomousError, failure } from '../../shared/errors.ts';

export const evalStopped = (): AutonomousError =>
  failure('ABORTED', 'the eval was stopped; its results are recorded', {
    hint: 'Run the same command again: it continues with what is missing.',
  });
