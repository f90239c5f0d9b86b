import { describe, expect, it } from 'vitest';
import { isFinal, JOB, step, type Table } from '../../../../src/core/state/machines.ts';
import { AutonomousError } from '../../../../src/shared/errors.ts';
import { cellsOf, MACHINES, type Machine } from '../../../support/state/machineTables.ts';

/** Every trigger that any machine knows, and names that every object has. */
const TRIGGERS = [
  ...new Set(Object.values(MACHINES).flatMap(({ table }) => Object.values(table).flatMap((row) => Object.keys(row)))),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''],
];

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
      for (const one of to === 'work' ? ['planning', 'running'] : [to]) if (one !== undefined) seen.add(one);
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
      hint: 'Possible now: accept plan, resume, fail, cancel.',
      details: { what: 'job j1', from: 'paused', trigger: 'complete' },
    });
  });

  it('says so when nothing can be done', () => {
    expect(() => step('job j1', JOB, 'failed', 'resume')).toThrow(expect.objectContaining({ hint: 'That is final.' }));
  });
});
