/**
 * `npx node scripts/l10n.mjs`: collects the texts of `l10n.t` in src/, of `t` and `plural` in the page, and of package.json, and compares them with
 * the bundles of l10n/. Exits 1 if a bundle lacks a text, contains a removed one, or has other placeholders. `--write` adds missing texts with an
 * empty translation, and deletes removed ones. A text for numbers has a line for each plural form of the bundle's language: `{0} notes#one`, `{0}
 * notes#other`.
 */
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shownTexts } from './l10n/manifest.mjs';
import { pageTextsOf, textsOf } from './l10n/texts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => readFileSync(`${root}/${file}`, 'utf8');
const page = globSync('webview-ui/src/**/*.{ts,tsx}', { cwd: root }).map((file) => pageTextsOf(read(file)));
const inSource = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => textsOf(read(file)));
const texts = [...new Set([...inSource, ...page.flatMap((file) => file.texts)])].sort();
const plurals = [...new Set(page.flatMap((file) => file.plurals))].sort();
const shown = shownTexts(JSON.parse(read('package.json')));
const bundles = readdirSync(`${root}/l10n`).filter((name) => /^(bundle\.l10n|manifest)\.[a-z-]+\.json$/i.test(name));

function wantedIn(name) {
  if (name.startsWith('manifest')) return shown;
  const language = name.split('.').at(-2);
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return [...texts, ...plurals.flatMap((text) => forms.map((form) => `${text}#${form}`))].sort();
}

/** A form of a plural may go without its number: `eine Notiz`. */
function placeholders(text, isForm) {
  const all = [...new Set(text.match(/\{\w+\}/g))].sort();
  return all.filter((hole) => !(isForm && hole === '{0}')).join();
}

let faults = 0;
for (const name of bundles) {
  const wanted = wantedIn(name);
  const file = `${root}/l10n/${name}`;
  const bundle = JSON.parse(readFileSync(file, 'utf8'));
  const lacks = wanted.filter((text) => !bundle[text]);
  const gone = Object.keys(bundle).filter((text) => !wanted.includes(text));
  const torn = wanted.filter((text) => {
    const isForm = /#[a-z]+$/.test(text);
    return bundle[text] && placeholders(bundle[text], isForm) !== placeholders(text, isForm);
  });
  for (const [what, list] of Object.entries({ lacks, 'was removed from src': gone, 'has other placeholders': torn })) {
    for (const text of list) process.stdout.write(`${name}: ${what}: ${JSON.stringify(text)}\n`);
  }
  faults += lacks.length + gone.length + torn.length;
  if (process.argv.includes('--write')) {
    const whole = Object.fromEntries(wanted.map((text) => [text, bundle[text] ?? '']));
    writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
  }
}
process.stdout.write(
  `${texts.length + plurals.length + shown.length} texts, ${bundles.length} bundles, ${faults} faults\n`,
);
process.exitCode = faults === 0 ? 0 : 1;
