/** The redrawn lines of a run: where the job is right now. A function of the state, the last live line and the width. */

import { openTodo, todoText } from '../../../core/job/history/todo.ts';
import { placeOf, placeText } from '../../../core/job/view/place.ts';
import { jobWaiting } from '../../../core/job/view/waiting.ts';
import { heldText, spentBy } from '../../../core/money/view/spent.ts';
import { jobFeatures, jobPhases, laneOf, need, openAttempt, openAttempts } from '../../../core/state/rows.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { FeatureRow, JobRow } from '../../../shared/job/rows.ts';
import { todoProgress } from '../../../shared/job/todo.ts';
import type { LiveLine } from '../../../shared/live.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { dollars, duration, plural } from '../../text/format.ts';
import type { Paint, Tone } from '../../text/paint.ts';
import { visibleLine } from '../../text/visible.ts';
import { displayWidth, fitMiddle, truncate } from '../../text/width.ts';
import { whyWaiting } from '../waiting.ts';

export interface Progress {
  readonly state: State;
  readonly jobId: string;
  readonly live: LiveLine | null;
  /** Time since the start of this run, milliseconds. */
  readonly elapsedMs: number;
  readonly clock: Clock;
  /** No line is wider. */
  readonly width: number;
  readonly paint: Paint;
}

const BAR = 30;
/** Lines about lanes. */
const SHOWN_LANES = 8;

export function progressLines(progress: Progress): string[] {
  const { state, jobId, width, paint } = progress;
  const job = need(state, 'jobs', jobId);
  const lines: readonly (readonly [string, Tone])[] = [
    [phaseLine(state, job, width), 'strong'],
    [barLine(jobFeatures(state, jobId), width), 'plain'],
    ...workLines(progress, job),
    [moneyLine(progress, job), 'faint'],
  ];
  return lines.map(([text, tone]) => paint(truncate(text, width), tone));
}

function phaseLine(state: State, job: JobRow, width: number): string {
  const phases = jobPhases(state, job.id);
  const phase = phases.find((row) => row.status !== 'completed');
  if (phases.length === 0) return visibleLine(job.title);
  if (phase === undefined) return `All ${plural(phases.length, 'phase')} done: ${visibleLine(job.title)}`;
  const again = phase.attempt > 1 ? `, attempt ${phase.attempt}/${job.options.maxPhaseAttempts}` : '';
  const standing = ` (${phase.status}${again})`;
  return fitMiddle(`Phase ${phase.number}/${phases.length} `, visibleLine(phase.title), standing, width);
}

function barLine(features: readonly FeatureRow[], width: number): string {
  if (features.length === 0) return 'No plan yet';
  const done = features.filter((row) => row.status === 'completed').length;
  const failed = features.filter((row) => row.status === 'failed').length;
  const counts = `${done}/${features.length} features${failed === 0 ? '' : `, ${failed} failed`}`;
  const room = Math.min(BAR, width - displayWidth(counts) - 3);
  if (room < 5) return counts;
  const full = Math.floor((done / features.length) * room);
  const lost = Math.min(room - full, Math.ceil((failed / features.length) * room));
  return `[${'='.repeat(full)}${'x'.repeat(lost)}${'-'.repeat(room - full - lost)}] ${counts}`;
}

/** One line for each lane that has work, if several have. */
function workLines(progress: Progress, job: JobRow): readonly (readonly [string, Tone])[] {
  const { state, width } = progress;
  const open = openAttempts(state, job.id);
  if (open.length < 2 || jobWaiting(state, job) !== null) return [nowLine(progress, job), ...todoLine(progress, job)];
  return open
    .toSorted((a, b) => laneOf(a) - laneOf(b))
    .slice(0, SHOWN_LANES)
    .map((attempt) => {
      const place = placeOf(state, attempt);
      const name = visibleLine(state.features.get(attempt.feature_id ?? 0)?.name ?? '');
      const after = ` · attempt ${attempt.number}${place === null ? '' : ` · ${visibleLine(placeText(place))}`}`;
      return [fitMiddle(`Feature ${attempt.feature_id} `, name, after, width), 'plain'] as const;
    });
}

/** The current work. If there is none, the reason and the end of the wait. */
function nowLine({ state, clock, live, width }: Progress, job: JobRow): readonly [string, Tone] {
  const waiting = jobWaiting(state, job);
  if (waiting !== null) return [whyWaiting(waiting, clock), 'warning'];
  const attempt = openAttempt(state, job.id);
  const feature =
    attempt?.feature_id === null || attempt === undefined ? undefined : state.features.get(attempt.feature_id);
  const doing = live === null ? '' : visibleLine(live.text);
  if (attempt === undefined || feature === undefined) {
    const what = attempt === undefined ? '' : `Review ${attempt.number}`;
    return [[what, doing].filter((part) => part !== '').join(' · ') || 'Working', 'plain'];
  }
  const action = doing === '' ? '' : ` · ${truncate(doing, Math.max(12, Math.floor(width / 2)))}`;
  const after = ` · attempt ${attempt.number}${action}`;
  return [fitMiddle(`Feature ${feature.id} `, visibleLine(feature.name), after, width), 'plain'];
}

/** Progress of the worker's to-do list. Empty if it has none. */
function todoLine({ state, width }: Progress, job: JobRow): readonly (readonly [string, Tone])[] {
  const todo = todoProgress(openTodo(openAttempt(state, job.id)));
  return todo === null ? [] : [[truncate(`To do ${visibleLine(todoText(todo))}`, width), 'plain']];
}

function moneyLine({ state, elapsedMs }: Progress, job: JobRow): string {
  const spent = spentBy([...state.spends.values()].filter((row) => row.job_id === job.id));
  const budget = job.options.budgetMicroUsd === null ? '' : ` of ${dollars(job.options.budgetMicroUsd / 1e6)}`;
  const label = job.options.provider === 'simulated' ? ' · simulation' : '';
  return `${dollars(spent.costUsd)}${budget}${heldText(spent, dollars)} · ${duration(elapsedMs)}${label}`;
}
