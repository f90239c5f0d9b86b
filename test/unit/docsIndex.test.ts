/** docs/README.md lists each page, and each page starts with what a reader wants to do. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, docs), 'utf8');

const pages = globSync('*.md', { cwd: docs }).map((path) => basename(path));
const names = pages.filter((name) => name !== 'README.md').sort();

/** A page with a summary starts with its heading. */
const OPENING = /^# .+\n\n(?:## .+\n\n)?Use this page if you want to /;

function indexFaults(index: string): string[] {
  const linked = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => name);
  return [
    ...names.filter((name) => !linked.includes(name)).map((name) => `docs/README.md does not list ${name}`),
    ...linked.filter((name, at) => linked.indexOf(name) !== at).map((name) => `docs/README.md lists ${name} twice`),
    ...linked
      .filter((name) => !names.includes(name))
      .map((name) => `docs/README.md lists a page that is gone: ${name}`),
  ];
}

it('the index lists each page once', () => {
  expect(indexFaults(read('README.md'))).toEqual([]);
});

it('the index of another state has faults', () => {
  const changed = read('README.md').replace('(tour.md)', '(gone.md)').replace('(cli.md)', '(editor.md)');
  expect(indexFaults(changed)).toEqual([
    'docs/README.md does not list cli.md',
    'docs/README.md does not list tour.md',
    'docs/README.md lists editor.md twice',
    'docs/README.md lists a page that is gone: gone.md',
  ]);
});

it.each(names)('%s starts with what a reader wants to do', (name) => {
  expect(read(name)).toMatch(OPENING);
});
