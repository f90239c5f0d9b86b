import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const TEXTS = new URL('../../../scripts/l10n/texts.mjs', import.meta.url).href;

/** The script has no types: it is called as scripts are. */
function textsOf(source: string): unknown {
  const program = `import { textsOf } from ${JSON.stringify(TEXTS)}; console.log(JSON.stringify(textsOf(process.argv[1])))`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program, source], { encoding: 'utf8', stdio: 'pipe' }),
  );
}

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
