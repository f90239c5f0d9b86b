/** What an import takes: every row that an export can hold, and none whose inside is of another form. */

import { describe, expect, it } from 'vitest';
import { COLUMNS } from '../../../../../src/core/workspace/columns.ts';
import { recordRows } from '../../../../../src/core/workspace/rows.ts';
import { checkProjectName } from '../../../../../src/engine/project/names.ts';
import { importedRows } from '../../../../../src/engine/workspace/record/importedRows.ts';
import type { Json } from '../../../../../src/shared/task/tasks.ts';
import { goldenRun } from '../../../../support/golden/goldenRun.ts';
import { openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

type Plain = Record<string, Record<string, Json>[]>;

async function exported(): Promise<Plain> {
  const store = await openMemoryStore(new FakeClock());
  await goldenRun(store);
  return JSON.parse(JSON.stringify(recordRows(store.state, null))) as Plain;
}

const imported = (tables: Plain) =>
  importedRows(
    {
      hash: '',
      files: new Map(
        Object.entries(tables).map(([table, rows]) => [`state/${table}.json`, Buffer.from(JSON.stringify(rows))]),
      ),
    },
    checkProjectName,
  );

const RICH = await exported();
const NOTHING: Plain = Object.fromEntries(Object.keys(RICH).map((table) => [table, []]));
/** Whatever is JSON there: only that it is an object counts. */
const FREE = new Set(['task_steps.result', 'task_steps.params', 'task_steps.output', 'task_logs.data']);

interface Place {
  readonly table: string;
  readonly row: number;
  readonly column: string;
  /** Within the column. */
  readonly path: readonly string[];
}

function placesIn(value: Json, path: readonly string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[...path], ...inner.flatMap(([key, part]) => placesIn(part as Json, [...path, key]))];
}

const PLACES: readonly Place[] = Object.entries(RICH).flatMap(([table, rows]) =>
  rows.flatMap((row, nth) =>
    Object.entries(COLUMNS[table as keyof typeof COLUMNS])
      .filter(([column, kind]) => kind === 'json' && !FREE.has(`${table}.${column}`))
      .flatMap(([column]) =>
        placesIn(row[column] as Json)
          // What a step of a schedule is given is free too.
          .filter((path) => !path.includes('params') && !path.includes('output'))
          .map((path) => ({ table, row: nth, column, path })),
      ),
  ),
);

/** Of no form that stands at any of these places. */
const WRONG: Json = { polluted: [{ of: 'nobody' }] };

function withWrong(value: Json, [key, ...rest]: readonly string[]): Json {
  if (key === undefined) return WRONG;
  if (Array.isArray(value)) return value.map((part, at) => (String(at) === key ? withWrong(part as Json, rest) : part));
  const fields = value as Record<string, Json>;
  return { ...fields, [key]: withWrong(fields[key] as Json, rest) };
}

describe('rows of an export', () => {
  it('are taken as they are', () => {
    expect(imported(RICH)).toEqual(RICH);
    expect(new Set(PLACES.map(({ table, column }) => `${table}.${column}`)).size).toBeGreaterThan(15);
  });

  it('of a version without setup, baseline and verify commands of features are completed', () => {
    const [job = {}] = RICH['jobs'] ?? [];
    const [feature = {}] = RICH['features'] ?? [];
    const unknown = ['setup_gap', 'setup_removed', 'baseline_checks', 'result_checks', 'result_passed'];
    const added = {
      ...{ setup_added: [], result_failed: [], base_merges: [] },
      ...Object.fromEntries(unknown.map((column) => [column, null])),
    };
    const [oldJob, oldFeature] = [{ ...job }, { ...feature }];
    for (const column of Object.keys(added)) {
      expect(oldJob).toHaveProperty(column);
      delete oldJob[column];
    }
    expect(oldFeature).toHaveProperty('verify_commands');
    delete oldFeature['verify_commands'];
    const { jobs, features } = imported({ ...NOTHING, jobs: [oldJob], features: [oldFeature] });
    expect(jobs).toEqual([{ ...job, ...added }]);
    expect(features).toEqual([{ ...feature, verify_commands: [] }]);
  });

  it('of another form anywhere inside are refused by file, row and column', () => {
    for (const { table, row, column, path } of PLACES) {
      const rows = (RICH[table] ?? []).with(row, {});
      const right = RICH[table]?.[row] ?? {};
      rows[row] = { ...right, [column]: withWrong(right[column] as Json, path) };
      expect(() => imported({ ...NOTHING, [table]: rows }), `${table} ${row} ${column} ${path.join('.')}`).toThrow(
        expect.objectContaining({
          code: 'INVALID_INPUT',
          message: expect.stringContaining(`state/${table}.json, row ${row + 1}: ${column}`),
        }),
      );
    }
  });

  it.each<[string, (tables: Plain) => void, RegExp]>([
    [
      'a column too many',
      (tables) => Object.assign(tables['jobs']?.[0] as object, { more: 1 }),
      /jobs.json, row 1: it has other columns/,
    ],
    [
      'a field too many',
      (tables) => Object.assign(tables['jobs']?.[0]?.['options'] as object, { more: 1 }),
      /jobs.json, row 1: options: Unrecognized key/,
    ],
    [
      'a row twice',
      (tables) => void tables['jobs']?.push(tables['jobs'][0] as never),
      /jobs.json, row \d+: the id occurs twice/,
    ],
    ['no list', (tables) => void Object.assign(tables, { notes: {} }), /notes.json is not a list/],
    [
      'a result without a bottom',
      (tables) =>
        void Object.assign(tables['task_steps']?.[0] as object, {
          result: JSON.parse('['.repeat(300) + ']'.repeat(300)),
        }),
      /task_steps.json is nested deeper/,
    ],
  ])('with %s are refused', (_, change, why) => {
    const changed = structuredClone(RICH);
    change(changed);
    expect(() => imported(changed)).toThrow(why);
  });
});

/** Columns that exports of older versions lack, by table. */
const NEWER: Readonly<Record<string, readonly string[]>> = {
  projects: ['wait'],
  jobs: ['wait'],
  tasks: ['wait'],
  task_steps: ['wait'],
  notes: ['created_by'],
  attempts: ['worked_ms', 'active_since', 'todo'],
  sessions: ['worked_ms', 'active_since'],
};

it('imports an export of a version without waits, authors and work times', () => {
  const older = Object.entries(RICH).map(([table, rows]) => {
    const lacks = NEWER[table] ?? [];
    return [
      table,
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !lacks.includes(name)))),
    ];
  });
  const rows = imported(Object.fromEntries(older) as Plain);
  expect(rows.notes).toEqual(RICH['notes']?.map((note) => ({ ...note, created_by: null })));
  expect(rows.tasks).toEqual(RICH['tasks']);
  expect(rows.sessions.length).toBeGreaterThan(0);
  for (const { started_at, ended_at, ...row } of [...rows.sessions, ...rows.attempts])
    expect(row).toMatchObject(
      ended_at === null
        ? { worked_ms: 0, active_since: started_at }
        : { worked_ms: Date.parse(ended_at) - Date.parse(started_at), active_since: null },
    );
});

it('imports an export of a version without rules, and imports rules as revoked', () => {
  const { rules, ...older } = RICH;
  expect(imported(older).rules).toEqual([]);
  expect(imported(RICH).rules).toEqual(rules);
  expect(rules).toHaveLength(1);
  expect(rules?.every(({ revoked_at }) => typeof revoked_at === 'string')).toBe(true);
});
