import { describe, expect, it } from 'vitest';
import { missingText } from '../../../../src/core/text/nearest/nearestText.ts';
import { applyEdits } from '../../../../src/core/text/textEdits.ts';

const edit = (old_string: string, new_string: string, replace_all = false) => ({ old_string, new_string, replace_all });

describe('edits', () => {
  it('see what earlier ones wrote', () => {
    expect(applyEdits('a b', [edit('a', 'bb'), edit('bb b', '$&')])).toMatchObject({ ok: true, text: '$&' });
  });

  it('know the parts that they wrote after all of them', () => {
    const outcome = applyEdits('one two one three', [edit('three', '3'), edit('one', 'first', true), edit('two ', '')]);
    if (!outcome.ok) throw new Error('it applies');
    expect(outcome.text).toBe('first first 3');
    expect(outcome.replacements).toBe(4);
    expect(outcome.parts.map(({ from, to }) => outcome.text.slice(from, to))).toEqual(['first', 'first', '3']);
  });

  it.each([
    ['', 'x', { kind: 'empty' }],
    ['b', 'b', { kind: 'same' }],
    ['b', 'x', { kind: 'ambiguous', lines: [2, 3, 3] }],
    ['nowhere at all', 'x', { kind: 'missing', nearest: null }],
  ])('that replace %j by %j are refused for a reason', (before, after, fault) => {
    expect(applyEdits('a\nb\nbb', [edit('a', 'c'), edit(before, after)])).toEqual({ ok: false, at: 1, fault });
  });
});

describe('the nearest text', () => {
  const text = 'first();\n\tif (ready) {\n\t\tsecond(1);\n\t}\nthird();\n';

  it('is the place whose lines differ in spaces', () => {
    expect(missingText(text, 'if (ready) {\n    second(1);\n}')).toEqual({
      line: 2,
      found: ['\tif (ready) {', '\t\tsecond(1);', '\t}'],
      differences: [
        { line: 3, given: '    second(1);', found: '\t\tsecond(1);' },
        { line: 4, given: '}', found: '\t}' },
      ],
    });
  });

  it('is the place with the same lines and another one among them', () => {
    expect(missingText(text, '\tif (ready) {\n\t\tsecond(2);\n\t}')).toMatchObject({
      line: 2,
      differences: [{ line: 3, given: '\t\tsecond(2);', found: '\t\tsecond(1);' }],
    });
  });

  it('is the line that is most alike if none is equal', () => {
    expect(missingText(text, 'thirdd();')).toMatchObject({ line: 5, found: ['third();'] });
  });

  it('shows spaces at the end of a line', () => {
    expect(missingText('a = 1;  \nb = 2;\n', 'a = 1;\nb = 2;')?.differences).toEqual([
      { line: 1, given: 'a = 1;', found: 'a = 1;  ' },
    ]);
  });
});
