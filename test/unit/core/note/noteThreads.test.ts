import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../src/core/note/noteAnchors.ts';
import { notesByFile, threadsIn } from '../../../../src/core/note/noteThreads.ts';
import type { NoteRow } from '../../../../src/shared/note.ts';
import { noteRow } from '../../../support/state/builders.ts';

const noted = (patch: Partial<NoteRow>): NoteRow =>
  noteRow({ file: 'a.js', line: 1, anchor: 'one', feature_id: null, category: null, ...patch });

const threads = (notes: readonly NoteRow[], text = 'one\ntwo\nthree') =>
  threadsIn(notesByFile(notes).get('a.js') ?? [], linesOf(text)).map(({ root, line, outdated, notes: own }) => ({
    root,
    line,
    outdated,
    ids: own.map(({ note }) => note.id),
  }));

describe('the notes of a file', () => {
  it('are those that hold, oldest first', () => {
    const rows = [
      noted({ id: 3 }),
      noted({ id: 1 }),
      noted({ id: 2, superseded_by: 0 }),
      noted({ id: 4, file: null }),
      noted({ id: 5, file: 'b.js' }),
    ];
    const byFile = notesByFile(rows);
    expect([...byFile].map(([file, notes]) => [file, notes.map(({ note }) => note.id)])).toEqual([
      ['a.js', [1, 3]],
      ['b.js', [5]],
    ]);
  });

  it('keep their place in the order when they are edited, and say so when the words changed', () => {
    const rows = [
      noted({ id: 1, content: 'first', superseded_by: 3 }),
      noted({ id: 2, content: 'second', superseded_by: 4 }),
      noted({ id: 3, content: 'first, better' }),
      noted({ id: 4, content: 'second', category: 'ui' }),
    ];
    const notes = notesByFile(rows).get('a.js') ?? [];
    expect(notes.map(({ note, root, reworded }) => [note.id, root, reworded])).toEqual([
      [3, 1, true],
      [4, 2, false],
    ]);
  });

  it('end, even where rows replace each other in a circle', () => {
    const circle = [noted({ id: 1, superseded_by: 2 }), noted({ id: 2, superseded_by: 1 }), noted({ id: 3 })];
    expect(threads(circle).map(({ ids }) => ids)).toEqual([[3]]);
    const backwards = [noted({ id: 7, superseded_by: 5 }), noted({ id: 5 })];
    expect(threads(backwards)).toMatchObject([{ root: 5 }]);
  });
});

describe('a thread', () => {
  it('is the notes of one line and one scope', () => {
    const rows = [
      noted({ id: 1 }),
      noted({ id: 2 }),
      noted({ id: 3, category: 'ui' }),
      noted({ id: 4, feature_id: 7 }),
      noted({ id: 5, line: 2, anchor: 'two' }),
    ];
    expect(threads(rows).map(({ ids }) => ids)).toEqual([[1, 2], [3], [4], [5]]);
  });

  it('is found where its line is now, and is another one when its line is gone', () => {
    const rows = [noted({ id: 1 }), noted({ id: 2, line: 2, anchor: 'two' })];
    expect(threads(rows, 'new\n\none\ntwo')).toEqual([
      { root: 1, line: 3, outdated: false, ids: [1] },
      { root: 2, line: 4, outdated: false, ids: [2] },
    ]);
    expect(threads(rows, 'one\nthree')).toEqual([
      { root: 1, line: 1, outdated: false, ids: [1] },
      { root: 2, line: 2, outdated: true, ids: [2] },
    ]);
  });

  it('is known by its first note when that was edited', () => {
    const rows = [noted({ id: 1, superseded_by: 3 }), noted({ id: 2 }), noted({ id: 3 })];
    expect(threads(rows)).toEqual([{ root: 1, line: 1, outdated: false, ids: [3, 2] }]);
  });
});
