/** What `npm pack` takes: each link of its documents leads to a file beside it, and the Node version is the program's. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { deadLinks } from '../../../scripts/package/links.mjs';
import { packagedReadme } from '../../../scripts/package/readme.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

test('the packed documents have no dead links', () => {
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json', '--loglevel=error'];
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8' });
  const report = JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, { files: { path: string }[] }>;
  const paths = Object.values(report).flatMap(({ files }) => files.map(({ path }) => path));
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'docs/cli.md', 'docs/TRUST.md', 'src/README.md']));
  expect(deadLinks(paths, read)).toEqual([]);
});

test('the pages of the extension have none either', () => {
  const pages = ['README.md', 'CHANGELOG.md'];
  const packed = (path: string): string => packagedReadme(read(path), () => Buffer.from('x'));
  expect(deadLinks(pages, packed)).toEqual([]);
});

test('a dead link is found, in any folder and with an anchor', () => {
  const texts: Record<string, string> = {
    'README.md': '[a](docs/a.md#x) [b](docs/b.md) [c](#c) [d](https://example.org) ![e](e.png "E")',
    'docs/a.md': '[up](../README.md) [gone](gone.md#y) [mail](mailto:a@example.org)',
  };
  expect(deadLinks(Object.keys(texts), (path: string) => texts[path] ?? '')).toEqual([
    'has a dead link in README.md: docs/b.md',
    'has a dead link in README.md: e.png',
    'has a dead link in docs/a.md: gone.md',
  ]);
});

test('the package states the Node version that the program asks for', () => {
  const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
  const [, major] = /major < (\d+)/.exec(read('src/cli.ts')) ?? [];
  expect(engines.node).toBe(`>=${major}`);
  expect(read('README.md')).toContain(`needs Node ${major} or later`);
  expect(read('esbuild.mjs')).toContain(`target: 'node${major}'`);
});
