import { describe, expect, it } from 'vitest';
import { noteLine, selectNotes } from '../../../../src/core/note/noteSelection.ts';
import type { NoteRow } from '../../../../src/shared/note.ts';
import { fc } from '../../../support/suite/property.ts';

const feature = { id: 1, category: 'core' };

function note(id: number, changes: Partial<NoteRow> = {}): NoteRow {
  return {
    id,
    feature_id: null,
    category: null,
    content: `note ${id}`,
    created_by_session: null,
    created_by: 'steward',
    created_at: `2030-01-01T00:00:${String(id % 60).padStart(2, '0')}.000Z`,
    file: null,
    line: null,
    anchor: null,
    superseded_by: null,
    ...changes,
  };
}

const anyNotes = fc
  .array(
    fc.record({
      feature_id: fc.constantFrom(null, 1, 2),
      category: fc.constantFrom(null, 'core', 'docs'),
      content: fc.string({ maxLength: 900 }),
      created_at: fc.constantFrom('2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z', '2030-01-03T00:00:00.000Z'),
      superseded_by: fc.constantFrom(null, null, null, 0, 3),
    }),
    { maxLength: 40 },
  )
  .map((rows) => rows.map((row, index) => note(index + 1, row)));

const rank = (row: NoteRow) => (row.feature_id !== null ? 0 : row.category !== null ? 1 : 2);

describe('the notes of a feature', () => {
  it('are its own, then its category, then global; newest first', () => {
    const rows = [
      note(1),
      note(2, { category: 'core' }),
      note(3, { feature_id: 1 }),
      note(4, { feature_id: 1 }),
      note(5, { feature_id: 2 }),
      note(6, { category: 'docs' }),
      note(7, { superseded_by: 1 }),
      note(8, { superseded_by: 0 }),
    ];
    expect(selectNotes(feature, rows).ids).toEqual([4, 3, 2, 1]);
  });

  it('pass over what does not fit', () => {
    const rows = [note(1, { content: 'short' }), note(2, { content: 'x'.repeat(500) })];
    expect(selectNotes(feature, rows, 50).ids).toEqual([1]);
  });

  it('read as one item each', () => {
    expect(noteLine(note(7, { content: 'a\nb', category: 'core', file: 'src/a.ts', line: 3 }))).toBe(
      '- [note 7, category, by steward] a\n  b (src/a.ts:3)',
    );
  });

  it('hold their budget, scope and order whatever the rows', () => {
    fc.assert(
      fc.property(anyNotes, fc.integer({ min: 0, max: 2_000 }), (rows, tokens) => {
        const { ids, notes, lines } = selectNotes(feature, rows, tokens);
        expect(lines.join('\n').length).toBeLessThanOrEqual(tokens * 4);
        expect(new Set(ids).size).toBe(ids.length);
        expect(lines).toEqual(notes.map(noteLine));
        for (const row of notes) {
          expect(row.superseded_by).toBeNull();
          expect(row.feature_id === 1 || (row.feature_id === null && row.category !== 'docs')).toBe(true);
        }
        for (const [index, row] of notes.slice(1).entries()) {
          const before = notes[index]!;
          expect(rank(before)).toBeLessThanOrEqual(rank(row));
          if (rank(before) === rank(row)) expect(before.created_at >= row.created_at).toBe(true);
        }
        expect(selectNotes(feature, [...rows].reverse(), tokens).ids).toEqual(ids);
      }),
    );
  });
});
