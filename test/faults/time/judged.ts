/** Our code that lives by the clock, as one thing: a proof judges it as it stands, or with a bug put into it. */
import { systemClock } from '../../../src/adapters/clock.ts';
import { Circuit } from '../../../src/adapters/gateway/send/circuit.ts';
import { Connection } from '../../../src/adapters/gateway/send/connection.ts';
import { watchSilence } from '../../../src/core/agent/silence.ts';
import { admit, bookingDay } from '../../../src/core/money/budget.ts';
import { Stopwatch } from '../../../src/core/session/stopwatch.ts';
import { EVENT_TYPES, reduce } from '../../../src/core/workspace/reduce.ts';
import { Wait } from '../../../src/engine/job/wait.ts';
import { Alarms } from '../../../src/engine/state/alarms.ts';
import { openStore } from '../../../src/engine/state/openStore.ts';
import { ScheduleRun } from '../../../src/engine/task/schedules.ts';
import { watchThread } from '../../../src/engine/workspace/threads/watchdog.ts';

export const JUDGED = {
  systemClock,
  watchThread,
  watchSilence,
  Stopwatch,
  Connection,
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
