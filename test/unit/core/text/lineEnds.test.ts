/** Whatever line ends a file has, and whatever is edited in it, the other lines stay as they are. */
import { describe, expect, it } from 'vitest';
import { isMostlyCrlf, putLineEnds, takeLineEnds, withLineEndsOf } from '../../../../src/core/text/lineEnds.ts';
import { applyEdits } from '../../../../src/core/text/textEdits.ts';
import { fc } from '../../../support/suite/property.ts';

const END = fc.constantFrom('\n', '\r\n');
/** A lone CR is part of a line; one at its end would belong to its end. */
const LINE = fc.stringMatching(/^(?:[abc \r]{0,4}[abc ])?$/);
const FILE = fc
  .tuple(fc.array(fc.tuple(LINE, END), { maxLength: 6 }), LINE)
  .map(([lines, last]) => [...lines.map(([line, end]) => line + end), last].join(''));
const edit = (old_string: string, new_string: string, replace_all = false) => ({ old_string, new_string, replace_all });
const edited = (text: string, ...edits: ReturnType<typeof edit>[]): string => {
  const outcome = applyEdits(text, edits);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.fault));
  return outcome.text;
};

describe('line ends', () => {
  it('are put back as they were taken', () => {
    fc.assert(
      fc.property(FILE, (text) => {
        const taken = takeLineEnds(text);
        expect(taken.text).not.toContain('\r\n');
        expect(putLineEnds(taken)).toBe(text);
      }),
    );
  });

  it('of lines that an edit names and does not change stay', () => {
    fc.assert(
      fc.property(FILE, FILE, FILE, fc.boolean(), (before, old, after, asLf) => {
        const given = (mark: string) => `<${asLf ? old.replaceAll('\r\n', '\n') : old}${mark}`;
        expect(edited(`${before}<${old}>${after}`, edit(given('>'), given('!')))).toBe(`${before}<${old}!${after}`);
      }),
    );
  });

  it('of the lines around an edit stay, and each new line has one that the file has', () => {
    fc.assert(
      fc.property(FILE, FILE, FILE, FILE, (before, after, old, written) => {
        const text = `${before}<${old}>${after}`;
        const lf = (part: string) => part.replaceAll('\r\n', '\n');
        const result = edited(text, edit(`<${lf(old)}>`, `{${lf(written)}}`));
        expect(result.startsWith(`${before}{`)).toBe(true);
        expect(result.endsWith(`}${after}`)).toBe(true);
        expect(lf(result.slice(before.length, result.length - after.length))).toBe(`{${lf(written)}}`);
        const hadCrlf = text.includes('\r\n');
        const hadLf = /(?<!\r)\n/.test(text);
        if (!hadCrlf) expect(lf(result)).toBe(result);
        if (hadCrlf && !hadLf) expect(result).not.toMatch(/(?<!\r)\n/);
      }),
    );
  });

  it('of each line that stays are kept, whatever else is removed, changed and added', () => {
    const step = fc.record({
      end: END,
      what: fc.constantFrom('keep', 'remove', 'change'),
      added: fc.nat({ max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), (steps, isOpen) => {
        const text = steps
          .map(({ end }, nth) => `line ${nth}${isOpen && nth === steps.length - 1 ? '' : end}`)
          .join('');
        const lines = steps.flatMap(({ what, added }, nth) => [
          ...Array.from({ length: added }, (_, other) => `new ${nth}.${other}`),
          ...(what === 'keep' ? [`line ${nth}`] : []),
          ...(what === 'change' ? [`changed ${nth}`] : []),
        ]);
        const written = [...lines, ''].join('\n');
        const old = text.replaceAll('\r\n', '\n');
        fc.pre(written !== old);
        for (const result of [edited(text, edit(old, written)), withLineEndsOf(text, written)]) {
          expect(result.replaceAll('\r\n', '\n')).toBe(written);
          const ends = new Map(Array.from(result.matchAll(/(.*?)(\r?\n)/g), ([, line, end]) => [line, end]));
          for (const [, line, end] of text.matchAll(/(.*?)(\r?\n)/g)) expect(ends.get(line) ?? end).toBe(end);
        }
      }),
    );
  });

  it('of a text that stays are kept when it is written again, and those of any other text are those of most lines', () => {
    fc.assert(
      fc.property(FILE, (text) => {
        expect(withLineEndsOf(text, text.replaceAll('\r\n', '\n'))).toBe(text);
      }),
    );
    expect(withLineEndsOf('a\r\nb\nc\r\n', 'x\nb\ny\nc\nz')).toBe('x\r\nb\ny\r\nc\r\nz');
    expect(withLineEndsOf('a\r\nb\nc\n', 'a\nx\nc\n')).toBe('a\r\nx\nc\n');
  });

  it('are no change', () => {
    expect(applyEdits('a\r\nb', [edit('a\n', 'a\r\n')])).toMatchObject({ ok: false, fault: { kind: 'same' } });
  });

  it('stay around all places and after several edits', () => {
    fc.assert(
      fc.property(fc.array(FILE, { minLength: 1, maxLength: 4 }), FILE, (parts, written) => {
        const lf = written.replaceAll('\r\n', '\n');
        const result = edited(parts.join('<x>'), ...(parts.length > 1 ? [edit('<x>', `{${lf}}`, true)] : []));
        const pieces = result.split(/\{[^}]*\}/);
        expect(pieces).toEqual(parts);
      }),
    );
  });

  it.each([
    ['a\r\nb\r\n', 'b', 'c\nd', 'a\r\nc\r\nd\r\n'],
    ['a\r\nlast', 'last', 'last\nmore', 'a\r\nlast\r\nmore'],
    ['a\nlast', 'last', 'last\r\nmore', 'a\nlast\nmore'],
    ['a\r\nb\nc\r\nd', 'a\nb\nc', 'a\nnew\nb\nC', 'a\r\nnew\r\nb\nC\r\nd'],
    ['a\r\nb\nc\r\nd\n', 'b\nc\nd', 'B\nD', 'a\r\nB\nD\n'],
    ['a\r\nb\r\nc\nd\n', 'a\nb\nc\nd\n', 'a\nc\nD\n', 'a\r\nc\nD\n'],
    ['a\rb\r\n', 'a\rb', 'c', 'c\r\n'],
    ['a\nb\r\nc\r\n', '\nb', '', 'a\r\nc\r\n'],
  ])('of %j are those of the line at the match, when %j becomes %j', (text, before, after, result) => {
    expect(edited(text, edit(before, after))).toBe(result);
  });

  it.each([
    ['', false],
    ['a', false],
    ['a\r\nb\n', false],
    ['a\r\nb\r\nc\n', true],
    ['a\rb\r', false],
  ])('of %j are mostly CRLF: %j', (text, is) => expect(isMostlyCrlf(text)).toBe(is));
});
