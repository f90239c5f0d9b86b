/** Arbitrary rows of every table, from the columns' kinds: nothing that the types allow is left out. */
import { columnsOf } from '../../../src/adapters/sqlite/schema.ts';
import { COLUMNS, type ColumnKind } from '../../../src/core/workspace/columns.ts';
import { emptyState, type State, TABLE_NAMES, type TableName } from '../../../src/shared/workspace/state.ts';
import { anyCharacter, fc } from '../suite/property.ts';

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom('', '\0', 'a\0b', '\ud800', 'é🙂\n'),
);
const json = fc.oneof(
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(
    fc.string({ minLength: 1, maxLength: 5 }).filter((key) => key !== '__proto__'),
    fc.oneof(text, fc.integer(), fc.boolean()),
    { maxKeys: 3 },
  ),
);
const count = fc.oneof(fc.integer({ min: 0, max: 10 }), fc.maxSafeNat());

const VALUES: Record<ColumnKind, fc.Arbitrary<unknown>> = {
  id: fc.integer({ min: 1, max: 1_000_000 }),
  key: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  text: fc.option(text),
  integer: fc.option(count),
  real: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
  json: fc.option(json),
  flag: fc.boolean(),
};

/** Columns that SQLite lets nobody leave empty. */
const REQUIRED: Readonly<Record<string, fc.Arbitrary<unknown>>> = { 'notes.content': text };

function rowsOf(table: TableName): fc.Arbitrary<readonly { readonly id: string | number }[]> {
  const fields = Object.fromEntries(
    columnsOf(table).map(([name, kind]) => [name, REQUIRED[`${table}.${name}`] ?? VALUES[kind]]),
  );
  const row = fc.record(fields) as unknown as fc.Arbitrary<{ readonly id: string | number }>;
  return fc.uniqueArray(row, { maxLength: 5, selector: ({ id }) => id });
}

export const arbitraryState: fc.Arbitrary<State> = fc
  .record(Object.fromEntries(TABLE_NAMES.map((table) => [table, rowsOf(table)])))
  .map((tables) => {
    const state = emptyState();
    for (const table of TABLE_NAMES) {
      const rows = state[table] as Map<string | number, unknown>;
      for (const row of tables[table] ?? []) rows.set(row.id, row);
    }
    return state;
  });

export const tablesWithNumbers = TABLE_NAMES.filter((table) => Object.values(COLUMNS[table]).includes('id'));
