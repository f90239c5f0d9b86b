import { describe, expect, it } from 'vitest';
import {
  APPROVAL,
  ATTEMPT,
  FEATURE,
  isFinal,
  JOB,
  PHASE,
  PROJECT,
  SESSION,
  SPEND,
  STEP,
  step,
  TASK,
  type Table,
} from '../../../src/core/machines.ts';
import { AutonomousError } from '../../../src/shared/errors.ts';

interface Machine {
  readonly table: Table<string>;
  readonly start: string;
  /** Statuses in which nothing is left to be done; a person may still take some of them back. */
  readonly ends: readonly string[];
  /** The table as one reads it: what is not here is refused. */
  readonly cells: Readonly<Record<string, string>>;
}

const MACHINES: Readonly<Record<string, Machine>> = {
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
        'interrupt>interrupted succeeded>succeeded failed>failed stuck>stuck blocked>blocked abandoned>abandoned',
      interrupted: 'interrupt>interrupted resume>running abandoned>abandoned',
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
    cells: { running: 'completed>completed failed>failed', completed: '', failed: '' },
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

/** Every trigger that any machine knows, and names that every object has. */
const TRIGGERS = [
  ...new Set(Object.values(MACHINES).flatMap(({ table }) => Object.values(table).flatMap((row) => Object.keys(row)))),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''],
];

function cellsOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(' ')
      .filter((cell) => cell !== '')
      .map((cell) => cell.split('>') as [string, string]),
  );
}

function outcome(machine: Machine, from: string, trigger: string): string {
  try {
    return step('it', machine.table, from, trigger);
  } catch (thrown) {
    return thrown instanceof AutonomousError ? thrown.code : `${thrown}`;
  }
}

/** Statuses that can be reached; `work` stands for either of two. */
function reachable(table: Table<string>, from: string): Set<string> {
  const seen = new Set([from]);
  for (const status of seen) {
    for (const to of Object.values(table[status] ?? {})) {
      for (const one of to === 'work' ? ['planning', 'running'] : [to]) seen.add(one);
    }
  }
  return seen;
}

describe.each(Object.entries(MACHINES))('the machine of a %s', (_name, machine) => {
  const statuses = Object.keys(machine.table);

  it('has exactly these statuses', () => {
    expect(statuses.sort()).toEqual(Object.keys(machine.cells).sort());
  });

  it.each(Object.entries(machine.cells))('from %s: %s, and nothing else', (from, text) => {
    const legal = cellsOf(text);
    for (const trigger of TRIGGERS) {
      expect([trigger, outcome(machine, from, trigger)]).toEqual([trigger, legal.get(trigger) ?? 'ILLEGAL_TRANSITION']);
    }
  });

  it('reaches every status from its start, and an end from every status', () => {
    expect([...reachable(machine.table, machine.start)].sort()).toEqual(statuses.sort());
    for (const status of statuses) {
      const ends = [...reachable(machine.table, status)].filter((one) => machine.ends.includes(one));
      expect([status, ends.length > 0]).toEqual([status, true]);
    }
  });

  it('has an exit from every status that is no end', () => {
    for (const status of statuses) {
      if (!machine.ends.includes(status)) expect([status, isFinal(machine.table, status)]).toEqual([status, false]);
    }
  });
});

describe('a refused step', () => {
  it('says what is, what was wanted and what can be done', () => {
    let refused: unknown;
    try {
      step('job j1', JOB, 'paused', 'complete');
    } catch (thrown) {
      refused = thrown;
    }
    expect(refused).toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      message: 'job j1 is paused: it cannot complete',
      hint: 'From paused it can: accept_plan, resume, fail, cancel.',
      details: { what: 'job j1', from: 'paused', trigger: 'complete' },
    });
  });

  it('says so when nothing can be done', () => {
    expect(() => step('job j1', JOB, 'failed', 'resume')).toThrow(
      expect.objectContaining({ hint: 'From failed it can: nothing, this is final.' }),
    );
  });
});
