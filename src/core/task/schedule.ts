/** Computes the due times of schedules. A cron expression of five fields, or six with seconds first, in a time zone by its IANA name. */
import { Cron } from 'croner';
import { failure, messageOf } from '../../shared/errors.ts';
import type { ScheduleRow } from '../../shared/task/tasks.ts';

type Recurrence = Pick<ScheduleRow, 'cron' | 'time_zone'>;

/** Throws INVALID_INPUT with the fault. */
function cronOf({ cron, time_zone }: Recurrence): Cron {
  checkTimeZone(time_zone);
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6) {
    throw failure('INVALID_INPUT', `the times "${cron}" have ${fields} fields, and a cron expression has five or six`, {
      hint: 'Minute, hour, day of the month, month, day of the week: "0 9 * * 1-5" is 9:00 on weekdays.',
    });
  }
  try {
    return new Cron(cron.trim(), { paused: true, timezone: time_zone, mode: '5-or-6-parts' });
  } catch (thrown) {
    throw failure('INVALID_INPUT', `the times "${cron}" cannot be read: ${messageOf(thrown)}`, {
      hint: 'Minute, hour, day of the month, month, day of the week: "0 9 * * 1-5" is 9:00 on weekdays.',
      cause: thrown,
    });
  }
}

function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (thrown) {
    throw failure('INVALID_INPUT', `there is no time zone ${timeZone}`, {
      hint: 'Use a name as "Europe/Berlin" or "UTC".',
      cause: thrown,
    });
  }
}

/** The first due time after another one, ISO 8601 UTC. Null if there is none. Throws INVALID_INPUT. */
export function nextAt(recurrence: Recurrence, afterMs: number): string | null {
  return cronOf(recurrence).nextRun(new Date(afterMs))?.toISOString() ?? null;
}

/** The next due times after one, at most `count`. Throws INVALID_INPUT. */
export function nextTimes(recurrence: Recurrence, afterMs: number, count: number): readonly string[] {
  return cronOf(recurrence)
    .nextRuns(count, new Date(afterMs))
    .map((time) => time.toISOString());
}

/**
 * The due time for which a task must be created now: the newest one since the last, and since these times were set. Missed times are combined into
 * one. Null if none is due. Throws INVALID_INPUT.
 */
export function dueAt(schedule: Recurrence & Pick<ScheduleRow, 'last_due' | 'since'>, nowMs: number): string | null {
  const since = Math.max(Date.parse(schedule.since), schedule.last_due === null ? 0 : Date.parse(schedule.last_due));
  const [newest] = cronOf(schedule).previousRuns(1, new Date(nowMs + 1));
  return newest !== undefined && newest.getTime() > since && newest.getTime() <= nowMs ? newest.toISOString() : null;
}
