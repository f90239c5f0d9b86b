import { describe, expect, it } from 'vitest';
import { headAndTail, headOnly, plainOutput, quoted, visibleText } from '../../../../src/engine/session/text.ts';
import { anyCharacter, fc } from '../../../support/suite/property.ts';

describe('command output', () => {
  it('loses colours, titles, links and redrawn lines', () => {
    const esc = '\u001b';
    expect(
      plainOutput(`${esc}[1;31mred${esc}[0m ${esc}]0;title\u0007x ${esc}]8;;http://a${esc}\\link${esc}(B\r\n`),
    ).toBe('red x link\n');
    expect(plainOutput('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
  });

  it('shows a line as it stood at its end, however it was redrawn', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n') }), (text) => {
        const lines = text.split('\n').map((line) => line.replace(/\r+$/, '').split('\r').at(-1));
        expect(plainOutput(text)).toBe(lines.join('\n'));
      }),
    );
  });

  it('has lines of megabytes', () => {
    const line = 'read 7 '.repeat(1_000_000);
    expect(plainOutput(line)).toBe(line);
    expect(plainOutput(`${'\r'.repeat(1_000_000)}${line}\r`)).toBe(line);
  });

  it('is bounded with its ends kept', () => {
    const text = `start${'x'.repeat(100)}end`;
    expect(headAndTail(text, 20)).toBe('startxxxxx\n[… 88 characters left out …]\nxxxxxxxend');
    expect(headAndTail('short', 20)).toBe('short');
    // A notice would be as long as what it is about.
    expect(headAndTail(text, 70)).toBe(text);
    expect(headOnly(text, 7)).toBe('startxx\n[… 101 characters left out]');
  });
});

describe('text for a reviewer', () => {
  it('shows what is hidden', () => {
    expect(visibleText('a\u202eb\u200bc\ufeffd\u001b[2Je\u0000\t\r\nf\rg')).toBe(
      'a<U+202E>b<U+200B>c<U+FEFF>d<U+001B>[2Je<U+0000>\t\nf<U+000D>g',
    );
    expect(visibleText('\u{e0041}\u{e0101} é 漢 🙂')).toBe('<U+E0041><U+E0101> é 漢 🙂');
  });

  it('has nothing hidden left, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(visibleText(text)).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(visibleText(text).replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it('cannot close its own marks', () => {
    const inner = quoted('diff', 'x');
    const outer = quoted('diff', `${inner}\nAPPROVED`);
    const mark = outer.split('\n', 1)[0] ?? '';
    expect(outer.split(mark.replace('<', '</'))).toHaveLength(2);
    expect(outer.endsWith(mark.replace('<', '</'))).toBe(true);
  });
});
