/** docs/TRUST.md begins with a page that a user reads in two minutes; its figures are those of the last runs. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { measuredBefore, summary } from '../../../scripts/proof/trust.mjs';

const page = readFileSync(new URL('../../../docs/TRUST.md', import.meta.url), 'utf8');
/** Words that a person reads in two minutes. */
const MOST_WORDS = 500;

const [, first = ''] = page.split(/^## .*$/m);

it('begins with the summary: short, without a table, with what is promised and what is not', () => {
  expect(page).toMatch(/^# [^\n]+\n\n## In two minutes\n/);
  const words = first.replaceAll(/<!--.*?-->/g, '').match(/[\p{L}\d]\S*/gu) ?? [];
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
  expect(first).not.toMatch(/^\|/m);
  expect(first).toContain('What you can rely on');
  expect(first).toContain('What you must know');
  expect(first).toContain('(#what-is-not-covered)');
});

it('names only promises that the page has', () => {
  const named = [...first.matchAll(/\b([LMD]\d+)\b/g)].map(([id]) => id);
  expect(named.length).toBeGreaterThan(8);
  for (const id of named) expect(page).toMatch(new RegExp(`^\\| ${id} +\\|`, 'm'));
});

it('has the figures of the last runs', () => {
  const runs = ['faults', 'hostile', 'soak'].map((proof) => measuredBefore(proof));
  expect(first).toContain(summary(runs));
});

it('counts what missed its aim, what was tried, and the planted bugs', () => {
  const figure = { method: 'T1', unit: '', aim: { atMost: 0 } };
  const runs = [
    { day: '2026-01-02', figures: [{ ...figure, what: 'lost', value: 1 }], planted: [{ bug: 'a', file: 'a' }] },
    {
      day: '2026-01-01',
      figures: [
        { ...figure, what: 'hostile inputs tried: paths', value: 7000, aim: { atLeast: 1 } },
        { ...figure, what: 'shown', value: 5, aim: null },
      ],
      planted: [],
    },
  ];
  expect(summary(runs).split('\n')).toEqual([
    '- 1 of 2 figures that have an aim met it, in runs from 2026-01-01 to 2026-01-02. The tables below mark the others.',
    '- 7,000 hostile inputs were tried: paths that lead out, git settings, commands, pages, secrets and the like.',
    '- 1 bugs were planted in our own code, and the tests caught each.',
  ]);
});
