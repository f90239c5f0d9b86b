/** Our code that lives by the clock, as one thing: a proof judges it as it stands, or with a bug put into it. */
import { systemClock } from '../../../src/adapters/clock.ts';
import { Circuit } from '../../../src/adapters/gateway/circuit.ts';
import { Line } from '../../../src/adapters/gateway/line.ts';
import { admit, bookingDay } from '../../../src/core/budget.ts';
import { EVENT_TYPES, reduce } from '../../../src/core/reduce.ts';
import { watchSilence } from '../../../src/core/silence.ts';
import { Stopwatch } from '../../../src/core/stopwatch.ts';
import { Alarms } from '../../../src/engine/alarms.ts';
import { openStore } from '../../../src/engine/openStore.ts';
import { Wait } from '../../../src/engine/wait.ts';
import { watchThread } from '../../../src/projects/watchdog.ts';
import { ScheduleRun } from '../../../src/tasks/schedules.ts';

export const JUDGED = {
  systemClock,
  watchThread,
  watchSilence,
  Stopwatch,
  Line,
  Circuit,
  Alarms,
  Wait,
  bookingDay,
  admit,
  ScheduleRun,
  openStore,
  reduce,
  EVENT_TYPES,
};

export type Judged = typeof JUDGED;
