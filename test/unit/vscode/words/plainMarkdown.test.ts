import { describe, expect, it } from 'vitest';
import { plainMarkdown } from '../../../../src/vscode/words/plainMarkdown.ts';
import { fc } from '../../../support/suite/property.ts';

/** What a reader of the Markdown sees: CommonMark takes a backslash before any ASCII punctuation for that character alone. */
const seen = (markdown: string): string =>
  markdown
    .split('  \n')
    .map((line) => line.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('\u00a0', ' '))
    .join('\n');

describe('text as Markdown', () => {
  it('has nothing left that Markdown knows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        const bare = plainMarkdown(text).replaceAll(/\\[!-/:-@[-`{-~]/g, '');
        expect(bare).not.toMatch(/[!-/:-@[-`{-~]/);
      }),
    );
  });

  it.each([
    ['a line\n    indented\n\nand * another', 'a line\n    indented\n \nand * another'],
    ['[run](command:workbench.action.quit)', '[run](command:workbench.action.quit)'],
    ['see https://example.invalid/x.png, a@b.invalid', 'see https://example.invalid/x.png, a@b.invalid'],
    ['<img src=x> $(bug) &lt;', '<img src=x> $(bug) &lt;'],
    ['1. one\r\n2. two\n===', '1. one\n2. two\n==='],
    ['hidden\u202e\u200b\u0007 marks', 'hidden marks'],
  ])('shows %j', (text, expected) => {
    expect(seen(plainMarkdown(text))).toBe(expected);
  });
});
