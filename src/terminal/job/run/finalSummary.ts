/** The last line of a run's JSON, and the exit code. */
import { jobSummary } from '../../../core/job/view/job.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Ending } from './follow.ts';

/** `extra` is added beside `job`. A job that the engine halted has not finished normally, whatever its status. */
export function finishedLine(state: State, jobId: string, halted: boolean, extra: object = {}): string {
  const { title: _title, provider, createdAt: _created, endedAt: _ended, ...job } = jobSummary(state, jobId);
  const outcome = halted ? { outcome: 'failed' } : {};
  const line = {
    type: 'job_finished',
    version: 1,
    job: { ...job, ...outcome, simulated: provider === 'simulated' },
    ...extra,
  };
  return `${JSON.stringify(line)}\n`;
}

/** A paused job finished normally (seed 000): it can be resumed later. */
export function exitCode(ending: Ending, state: State, jobId: string): number {
  if (ending === 'left') return 0;
  if (ending === 'waits') return 3;
  if (ending === 'killed') return 1;
  const { outcome } = jobSummary(state, jobId);
  return outcome === 'completed' ? 0 : 1;
}
