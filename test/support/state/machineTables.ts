/** The machines as one reads them, written down once more by hand: what is not here is illegal. */
import {
  APPROVAL,
  ATTEMPT,
  FEATURE,
  JOB,
  PHASE,
  PROJECT,
  SESSION,
  SPEND,
  STEP,
  TASK,
  type Table,
} from '../../../src/core/state/machines.ts';

export interface Machine {
  readonly table: Table<string>;
  readonly start: string;
  /** Statuses in which nothing is left to be done; a person may still take some of them back. */
  readonly ends: readonly string[];
  /** The table as one reads it: what is not here is refused. */
  readonly cells: Readonly<Record<string, string>>;
}

export const MACHINES: Readonly<Record<string, Machine>> = {
  job: {
    table: JOB,
    start: 'planning',
    ends: ['completed', 'failed', 'cancelled'],
    cells: {
      planning: 'accept_plan>running await>awaiting_steward wait>waiting pause>paused fail>failed cancel>cancelled',
      running:
        'accept_plan>running await>awaiting_steward wait>waiting pause>paused complete>completed fail>failed cancel>cancelled',
      awaiting_steward:
        'accept_plan>running await>awaiting_steward continue>work wait>waiting pause>paused fail>failed cancel>cancelled',
      waiting:
        'wait>waiting await>awaiting_steward wake>work accept_plan>waiting pause>paused fail>failed cancel>cancelled',
      paused: 'accept_plan>paused resume>work fail>failed cancel>cancelled',
      completed: '',
      failed: '',
      cancelled: '',
    },
  },
  phase: {
    table: PHASE,
    start: 'pending',
    ends: ['completed', 'failed'],
    cells: {
      pending: 'start>executing fail>failed',
      executing: 'review>reviewing reject>pending fail>failed',
      reviewing: 'approve>completed reject>pending reopen>pending fail>failed',
      completed: 'reopen>pending',
      failed: '',
    },
  },
  feature: {
    table: FEATURE,
    start: 'pending',
    ends: ['completed', 'failed'],
    cells: {
      pending: 'start>in_progress complete>completed retry>pending release>pending fail>failed',
      in_progress: 'complete>completed retry>pending release>pending fail>failed start>in_progress',
      completed: 'reopen>pending retry>pending complete>completed fail>failed',
      failed: 'reopen>pending retry>pending complete>completed fail>failed',
    },
  },
  attempt: {
    table: ATTEMPT,
    start: 'running',
    ends: ['succeeded', 'failed', 'stuck', 'blocked', 'abandoned'],
    cells: {
      running:
        'interrupt>interrupted queue>queued succeeded>succeeded failed>failed stuck>stuck blocked>blocked abandoned>abandoned',
      interrupted: 'interrupt>interrupted resume>running abandoned>abandoned',
      queued: 'succeeded>succeeded return>interrupted abandoned>abandoned',
      succeeded: '',
      failed: '',
      stuck: '',
      blocked: '',
      abandoned: '',
    },
  },
  session: {
    table: SESSION,
    start: 'running',
    ends: ['completed', 'failed'],
    cells: {
      running: 'completed>completed failed>failed',
      completed: 'resume>running',
      failed: 'resume>running',
    },
  },
  approval: {
    table: APPROVAL,
    start: 'pending',
    ends: ['approved', 'rejected', 'void'],
    cells: {
      pending: 'approved>approved rejected>rejected void>void',
      approved: 'void>void',
      rejected: 'void>void',
      void: '',
    },
  },
  call: {
    table: SPEND,
    start: 'reserved',
    ends: ['settled', 'released'],
    cells: {
      reserved: 'settle>settled release>released unsettle>unsettled',
      unsettled: 'adjust>settled',
      settled: '',
      released: '',
    },
  },
  project: {
    table: PROJECT,
    start: 'active',
    ends: ['archived'],
    cells: {
      active: 'suspend>suspended complete>completed',
      suspended: 'resume>active',
      completed: 'archive>archived',
      archived: '',
    },
  },
  task: {
    table: TASK,
    start: 'PENDING',
    ends: ['COMPLETED', 'FAILED', 'CANCELLED'],
    cells: {
      PENDING: 'start>RUNNING cancel>CANCELLED',
      RUNNING: 'pause>PAUSED complete>COMPLETED fail>FAILED cancel>CANCELLED',
      PAUSED: 'resume>RUNNING fail>FAILED cancel>CANCELLED',
      COMPLETED: '',
      FAILED: 'retry>RUNNING',
      CANCELLED: '',
    },
  },
  step: {
    table: STEP,
    start: 'PENDING',
    ends: ['COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED'],
    cells: {
      PENDING: 'start>RUNNING skip>SKIPPED cancel>CANCELLED',
      RUNNING: 'complete>COMPLETED fail>FAILED again>PENDING cancel>CANCELLED',
      COMPLETED: '',
      FAILED: 'retry>PENDING',
      SKIPPED: '',
      CANCELLED: 'retry>PENDING',
    },
  },
};

/** Where each trigger leads. */
export function cellsOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(' ')
      .filter((cell) => cell !== '')
      .map((cell) => cell.split('>') as [string, string]),
  );
}
