/** Formats the end of a job in one line, for a person who follows more than this job. */
import { takenText } from '../../../core/job/gate/acceptResult.ts';
import { jobSummary } from '../../../core/job/view/job.ts';
import { spentText } from '../../../core/money/view/spent.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { dollars } from '../../text/format.ts';
import type { Line } from '../../text/paint.ts';
import { visibleLine } from '../../text/visible.ts';
import { resultText } from './runSummary.ts';

const TONES = { job_completed: 'good', job_failed: 'bad', job_cancelled: 'warning' } as const;

const isEnd = (type: Event['type']): type is keyof typeof TONES => type in TONES;

/** Names the job, where its result is, and its cost. Null if the event ends no job. `state` is after the event. */
export function jobEndedLine(event: Event, state: State): Line | null {
  const { type } = event;
  if (!isEnd(type) || !('job_id' in event) || event.job_id == null) return null;
  const job = jobSummary(state, event.job_id);
  const why = job.reason === null ? '' : `: ${visibleLine(job.reason).replace(/\.$/, '')}`;
  const isPlanned = state.jobs.get(job.id)?.plan_accepted === true;
  const result = isPlanned ? resultText(job, isPlanned) : 'not merged';
  const simulated = job.provider === 'simulated' ? ' (simulated)' : '';
  const taken = job.takenFailure === null ? '' : ` ${visibleLine(takenText(job.takenFailure))}`;
  const text = [
    `Job ${job.id} "${visibleLine(job.title)}" is ${job.status}${why}.`,
    `Result: ${result}. Cost: ${spentText(job, dollars)}${simulated}.${taken}`,
  ].join(' ');
  return { text, tone: job.takenFailure === null ? TONES[type] : 'warning' };
}
