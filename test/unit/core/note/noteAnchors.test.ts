import { describe, expect, it } from 'vitest';
import { anchorOf, linesOf, placeNote } from '../../../../src/core/note/noteAnchors.ts';
import { fc } from '../../../support/suite/property.ts';

const at = (line: number, anchor: string | null) => ({ line, anchor });

describe('the place of a note', () => {
  it('is where it was noted while that line says the same, indented or not', () => {
    expect(placeNote(at(2, 'b()'), linesOf('a\n  b()\nc'))).toEqual({ line: 2, outdated: false });
  });

  it('is the nearest line that says the same', () => {
    expect(placeNote(at(2, 'x'), linesOf('x\na\nb\nc\nx'))).toEqual({ line: 1, outdated: false });
    expect(placeNote(at(4, 'x'), linesOf('x\na\nb\nc\nx'))).toEqual({ line: 5, outdated: false });
    expect(placeNote(at(3, 'x'), linesOf('x\na\nb\nc\nx'))).toEqual({ line: 1, outdated: false });
  });

  it('is where it was, outdated, when its line is gone', () => {
    expect(placeNote(at(2, 'b'), linesOf('a\nc'))).toEqual({ line: 2, outdated: true });
    expect(placeNote(at(9, 'b'), linesOf('a\nc'))).toEqual({ line: 2, outdated: true });
    expect(placeNote(at(1, 'b'), linesOf(''))).toEqual({ line: 1, outdated: true });
  });

  it('goes by the number alone when a blank line was noted', () => {
    expect(anchorOf('  \t')).toBeNull();
    expect(placeNote(at(2, null), linesOf('a\n\nc'))).toEqual({ line: 2, outdated: false });
    expect(placeNote(at(7, '  '), linesOf('a\n\nc'))).toEqual({ line: 3, outdated: true });
  });

  it('follows a line that is the only one of its kind, whatever is written and deleted around it', () => {
    const other = fc.array(fc.constantFrom('{', '}', 'other', ''), { maxLength: 30 });
    fc.assert(
      fc.property(other, other, fc.integer({ min: 1, max: 80 }), (before, after, line) => {
        const lines = [...before, '\tthe noted one', ...after];
        const place = placeNote(at(line, 'the noted one'), linesOf(lines.join('\n')));
        expect(place).toEqual({ line: before.length + 1, outdated: false });
      }),
    );
  });

  it('lies within the text, always', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' a', ''), { maxLength: 20 });
    const anchor = fc.constantFrom('a', 'b', 'gone', '', null);
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), anchor, (lines, line, noted) => {
        const place = placeNote(at(line, noted), linesOf(lines.join('\n')));
        expect(place.line).toBeGreaterThanOrEqual(1);
        expect(place.line).toBeLessThanOrEqual(Math.max(1, lines.length));
        if (!place.outdated && noted !== null && noted !== '') expect(lines[place.line - 1]?.trim()).toBe(noted);
      }),
    );
  });
});
