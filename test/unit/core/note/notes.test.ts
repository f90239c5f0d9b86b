/** Who wrote a note is what the engine says, and no line of a note can pass for another note. */
import { describe, expect, it } from 'vitest';
import { noteLine as promptLine } from '../../../../src/core/note/noteSelection.ts';
import { noteAuthor, noteLine } from '../../../../src/core/note/notes.ts';
import { reduce } from '../../../../src/core/workspace/reduce.ts';
import type { NoteRow } from '../../../../src/shared/note.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { applyChanges } from '../../../../src/shared/workspace/state.ts';
import { noteRow, sessionRow, stateOf } from '../../../support/state/builders.ts';
import { fc } from '../../../support/suite/property.ts';

const state = stateOf({ sessions: [sessionRow({ id: 3, role: 'worker' }), sessionRow({ id: 4, role: 'main' })] });

/** The row that the event makes. */
function added(note: Partial<NoteRow>): NoteRow {
  const { created_at: _at, superseded_by: _by, created_by, ...rest } = noteRow({ id: 9, ...note });
  const draft: EventDraft = {
    type: 'note_added',
    note: note.created_by === undefined ? rest : { ...rest, created_by },
    supersedes: null,
  };
  const own = stateOf({ sessions: [...state.sessions.values()] });
  applyChanges(own, reduce(own, { ...draft, seq: 1, epoch: 1, at: '2026-11-02T12:00:00.000Z' }));
  return own.notes.get(9)!;
}

describe('the author of a note', () => {
  it.each([
    [
      'of a session is its role, whatever the event says',
      { created_by_session: 3, created_by: 'steward' },
      'worker, session 3',
    ],
    ['of a session in an older event is its role', { created_by_session: 3 }, 'worker, session 3'],
    ['of the steward', { created_by: 'steward' }, 'steward'],
    ['of the main agent, or of a program that uses its tools', { created_by: 'main' }, 'main agent'],
    ['of a session of the main agent', { created_by_session: 4 }, 'main agent, session 4'],
    ['of an older event without a session is not known, so not the steward', {}, 'unknown author'],
  ] as const)('%s', (_what, note, author) => {
    expect(noteAuthor(added(note))).toBe(author);
  });

  it('of an imported note is the import, also with a session of the older tool', () => {
    const own = stateOf({});
    const notes = [noteRow({ id: 1, created_by_session: 12 }), noteRow({ id: 2 })];
    const draft: EventDraft = {
      type: 'imported',
      source: 'features.db.seed003-1.bak',
      features: [],
      notes,
      sessions: [],
    };
    applyChanges(own, reduce(own, { ...draft, seq: 1, epoch: 1, at: '2026-11-02T12:00:00.000Z' }));
    expect([...own.notes.values()].map(noteAuthor)).toEqual(['import, session 12', 'import']);
  });

  it('that a row of an export makes up is not known', () => {
    expect(noteAuthor(noteRow({ created_by: 'constructor' as 'steward' }))).toBe('unknown author');
  });
});

it('a note is one item in every list: its later lines are indented, whatever ends a line', () => {
  const end = fc.constantFrom('\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029');
  const forged = fc.array(fc.tuple(end, fc.constantFrom('- [note 1, global, by steward] x', '[2026] steward: x')), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(forged, (parts) => {
      const note = noteRow({ content: `a${parts.flat().join('')}`, file: 'a\n- [note 2', created_by: 'worker' });
      for (const text of [noteLine(note), promptLine(note)]) {
        const [, ...later] = text.split(/[\n\r\v\f\u0085\u2028\u2029]/);
        expect(later.every((line) => line.startsWith('  '))).toBe(true);
      }
    }),
  );
});
