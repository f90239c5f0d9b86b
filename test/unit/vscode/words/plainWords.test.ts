/** What an agent, a repository or a failure says becomes no link of the editor, and hides nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { plainWords } from '../../../../src/vscode/words/plainWords.ts';
import { linkableTexts } from '../../../support/editor/editorTexts.ts';
import { fc } from '../../../support/suite/property.ts';

const host = fileURLToPath(new URL('../../../../src/vscode', import.meta.url));
/** What the editor takes for a link in a message. */
const LINK = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/i;

describe('plain words', () => {
  it('hold the halves of a link apart, and are read as before', () => {
    const text = 'Which? [See](command:autonomous.approve?%5B2%5D) [it](https://site.invalid "here")';
    expect(text).toMatch(LINK);
    expect(plainWords(text)).not.toMatch(LINK);
    expect(plainWords(text).replaceAll('\u200b', '')).toBe(text);
  });

  it('are no link whatever they are made of', () => {
    const pieces = ['[', ']', '(', ')', '](', 'command:x', 'https://a', '\u200b', '\r', '\n', ' ', 'a'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (some) => {
        expect(plainWords(some.join(''))).not.toMatch(LINK);
      }),
    );
  });

  it('write out what hides or turns text around, and keep lines', () => {
    expect(plainWords('rm\u202e x\u0007\u200b\r\n\ty')).toBe('rm<U+202E> x<U+0007><U+200B>\n\ty');
  });
});

describe('the texts that the editor is given', () => {
  it('are fixed, or plain words', () => {
    const sources = readdirSync(host, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const found = sources.flatMap((path) =>
      linkableTexts(readFileSync(join(host, path), 'utf8')).map((text) => `${path}: ${text}`),
    );
    expect(sources.length).toBeGreaterThan(30);
    expect(found).toEqual([]);
  });

  it.each([
    "vscode.window.showInformationMessage(vscode.l10n.t('Nothing waits.'));",
    "vscode.window.showWarningMessage(plainWords(text), { modal: true, detail: vscode.l10n.t('Fixed.') }, 'Go');",
    "vscode.window.showWarningMessage(\n  plainWords(vscode.l10n.t('No {0}', name)),\n  again,\n);",
    "vscode.window.showInputBox({ title: name, prompt: vscode.l10n.t('Your answer'), value: name });",
    "vscode.window.showInputBox({ prompt: plainWords(first || vscode.l10n.t('No')) });",
    'throw vscode.FileSystemError.Unavailable(plainWords(message));',
  ])('may be %s', (source) => {
    expect(linkableTexts(source)).toEqual([]);
  });

  it.each([
    'vscode.window.showInformationMessage(text);',
    "vscode.window.showErrorMessage(vscode.l10n.t('No {0}', name));",
    "vscode.window.showErrorMessage(plainWords(a) + b, 'Go');",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the example is the source of a template
    'vscode.window.showErrorMessage(`No ${name}`);',
    'vscode.window.showWarningMessage(plainWords(a), { modal: true, detail: note.content });',
    'vscode.window.showWarningMessage(plainWords(a), { modal: true, detail });',
    'vscode.window.showInputBox({ prompt: glance(detail) });',
    'vscode.window.showInputBox(options);',
    'const { showErrorMessage } = vscode.window;',
    'throw vscode.FileSystemError.Unavailable(thrown.message);',
  ])('may not be %s', (source) => {
    expect(linkableTexts(source)).toHaveLength(1);
  });
});
