/**
 * `node scripts/l10n.mjs`: collects the texts of `l10n.t` in src/ and of package.json, and compares them with the bundles of l10n/. Exits 1 when
 * a bundle lacks one, holds one that is gone, or has other placeholders. `--write` adds the missing ones, empty, and removes the gone.
 */
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shownTexts } from './l10n/manifest.mjs';
import { textsOf } from './l10n/texts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('src/**/*.ts', { cwd: root });
const texts = [...new Set(files.flatMap((file) => textsOf(readFileSync(`${root}/${file}`, 'utf8'))))].sort();
const shown = shownTexts(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')));
const bundles = readdirSync(`${root}/l10n`).filter((name) => /^(bundle\.l10n|manifest)\.[a-z-]+\.json$/i.test(name));
const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join();

let faults = 0;
for (const name of bundles) {
  const wanted = name.startsWith('manifest') ? shown : texts;
  const file = `${root}/l10n/${name}`;
  const bundle = JSON.parse(readFileSync(file, 'utf8'));
  const lacks = wanted.filter((text) => !bundle[text]);
  const gone = Object.keys(bundle).filter((text) => !wanted.includes(text));
  const torn = wanted.filter((text) => bundle[text] && placeholders(bundle[text]) !== placeholders(text));
  for (const [what, list] of Object.entries({ lacks, 'is gone from src': gone, 'has other placeholders': torn })) {
    for (const text of list) process.stdout.write(`${name}: ${what}: ${JSON.stringify(text)}\n`);
  }
  faults += lacks.length + gone.length + torn.length;
  if (process.argv.includes('--write')) {
    const whole = Object.fromEntries(wanted.map((text) => [text, bundle[text] ?? '']));
    writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
  }
}
process.stdout.write(`${texts.length + shown.length} texts, ${bundles.length} bundles, ${faults} faults\n`);
process.exitCode = faults === 0 ? 0 : 1;
