import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { localized } from '../../../scripts/l10n/manifest.mjs';

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')) as unknown;

/** As the editor does it. */
function resolved(value: unknown, texts: Record<string, string>): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => {
    const key = typeof part === 'string' ? /^%([\w.]+)%$/.exec(part)?.[1] : undefined;
    return key === undefined ? part : texts[key];
  });
}

it('puts keys where texts were, and the texts come back by them', () => {
  const manifest = read('package.json');
  const { manifest: keyed, english } = localized(manifest, {});
  expect(JSON.stringify(keyed)).not.toContain('"New Brief"');
  expect(resolved(keyed, english)).toEqual(manifest);
});

it('leaves untranslated texts to the English file', () => {
  const manifest = { description: 'One', contributes: { commands: [{ command: 'a', title: 'Two' }] } };
  const { english, translated } = localized(manifest, { Two: 'Zwei' });
  expect(Object.values(english)).toEqual(['One', 'Two']);
  expect(Object.values(translated)).toEqual(['Zwei']);
});
