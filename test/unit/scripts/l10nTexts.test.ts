import { expect, it } from 'vitest';
import { pageTextsOf, textsOf } from '../../../scripts/l10n/texts.mjs';

it('collects the texts of l10n.t, with escapes and messages with comments', () => {
  const source = `
    vscode.l10n.t('One {0}', x); l10n.t(
      "it's two\\n",
    );
    l10n.t({ message: 'Three', comment: 'for whom' }); other.t('no');`;
  expect(textsOf(source)).toEqual(['One {0}', "it's two\n", 'Three']);
});

it('refuses a text that is put together', () => {
  expect(() => textsOf("l10n.t('One ' + x, y); l10n.t(one)")).toThrow(/takes a plain string/);
});

it('collects the texts of the page, and of a number its form for many', () => {
  const source = `
    <p title={t('One {0}', x)}>{plural(n, { one: '{0} note', other: '{0} notes' })}{list.at(0)}{format(t(
      "it's two"))}</p>;
    plural(list.length, {
      one: 'one',
      other: 'many',
    }, more);`;
  expect(pageTextsOf(source)).toEqual({ texts: ['One {0}', "it's two"], plurals: ['{0} notes', 'many'] });
});

it('refuses a text of the page that is put together', () => {
  expect(() => pageTextsOf("t('One ' + x, y); t(one)")).toThrow(/t takes a plain string/);
  expect(() => pageTextsOf('plural(n, forms)')).toThrow(/plural takes plain strings/);
});
