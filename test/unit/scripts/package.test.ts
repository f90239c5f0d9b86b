import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contentFaults } from '../../../scripts/package/contents.mjs';
import { reachable } from '../../../scripts/package/reachable.mjs';
import { packagedReadme } from '../../../scripts/package/readme.mjs';
import { targetOf } from '../../../scripts/package/targets.mjs';
import { WALKTHROUGH } from '../../../src/vscode/workspace/walkthrough.ts';

const root = new URL('../../../', import.meta.url);

it('takes the first picture into the README and leaves out what the page cannot show', () => {
  const text =
    '# A\n\n![Board](media/a.png)\n\nSee [the docs](docs/a.md), [VS Code](https://x.y) and [below](#b).\n\n![Other](media/b.png)\n\n## B\n';
  const read = (path: string): Buffer => Buffer.from(path === 'media/a.png' ? 'picture' : 'wrong');
  expect(packagedReadme(text, read)).toBe(
    `# A\n\n![Board](data:image/png;base64,${Buffer.from('picture').toString('base64')})\n\nSee the docs, [VS Code](https://x.y) and [below](#b).\n\n## B\n`,
  );
});

it('leaves no relative link or picture of our README', () => {
  const made = packagedReadme(readFileSync(new URL('README.md', root), 'utf8'), () => Buffer.from('x'));
  const targets = [...made.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? '');
  expect(targets.filter((target) => !/^(https:|#|data:image\/png;base64,)/.test(target))).toEqual([]);
});

it('links in the README to what is there', () => {
  const text = readFileSync(new URL('README.md', root), 'utf8');
  const targets = [...text.matchAll(/\]\((?!https:|#)([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '');
  expect(targets).toContain('docs/editor.md');
  expect(targets.filter((target) => !existsSync(new URL(target, root)))).toEqual([]);
});

it('packs what the entries load, and nothing else', () => {
  const files: Record<string, string> = {
    'extension.js': 'import"./chunk-A.js";const x=()=>import("./engine-B.js")',
    'worker.js': "import{a}from'./chunk-C.js'",
    'engine-B.js': 'import "./chunk-C.js"',
    'chunk-A.js': 'const text = "import x from \'./parser.js\'"',
    'chunk-C.js': 'export{}',
    'cli.js': 'import"./program-D.js"',
    'program-D.js': '',
  };
  const loaded = reachable(['extension.js', 'worker.js'], (name: string) => files[name] ?? null);
  expect([...loaded].sort()).toEqual(['chunk-A.js', 'chunk-C.js', 'engine-B.js', 'extension.js', 'worker.js']);
});

it('knows what is missing or too much', () => {
  const faults = contentFaults(
    ['src/a.ts', 'dist/extension.js.map', 'test/a.test.js', 'media/screenshots/a.png'],
    'darwin-arm64',
  );
  expect(faults).toContain('lacks LICENSE');
  expect(faults).toContain('lacks dist/cli.js');
  expect(faults).toContain('lacks dist/THIRD_PARTY_LICENSES.txt');
  expect(faults.filter((fault) => fault.startsWith('should not hold'))).toHaveLength(4);
});

it('takes the tests of the demo program into the package, and no other tests', () => {
  const unwanted = (path: string) =>
    contentFaults([path], 'darwin-arm64').some((fault) => fault === `should not hold ${path}`);
  expect(unwanted('dist/assets/demo/written/test/tokens.test.js')).toBe(false);
  expect(unwanted('dist/tokens.test.js')).toBe(true);
});

it('takes the call filter of its own system into the package, and no other', () => {
  const filters = ['x64', 'arm64'].map((arch) => `dist/vendor/seccomp/${arch}/apply-seccomp`);
  const [x64, arm64] = filters;
  const faults = (target: string) => contentFaults(filters, target).filter((fault) => fault.includes('seccomp'));
  expect(faults('linux-x64')).toEqual([`should not hold ${arm64}`]);
  expect(faults('alpine-arm64')).toEqual([`should not hold ${x64}`]);
  expect(faults('win32-x64')).toEqual([`should not hold ${x64}`, `should not hold ${arm64}`]);
  expect(contentFaults([], 'linux-arm64')).toContain(`lacks ${arm64}`);
});

it('names the package of a machine as VS Code does', () => {
  expect(targetOf({ platform: 'linux', arch: 'x64', isMusl: false })).toBe('linux-x64');
  expect(targetOf({ platform: 'linux', arch: 'arm64', isMusl: true })).toBe('alpine-arm64');
  expect(targetOf({ platform: 'win32', arch: 'arm64', isMusl: false })).toBe('win32-arm64');
  expect(() => targetOf({ platform: 'linux', arch: 'riscv64', isMusl: false })).toThrow('no package is made');
});

it('has a German page beside each page of the walkthrough, with the same parts', () => {
  for (const { id, media } of WALKTHROUGH.steps) {
    const [english = '', german = ''] = [media.markdown, media.markdown.replace(/\.md$/, '.nls.de.md')].map((path) =>
      readFileSync(new URL(path, root), 'utf8'),
    );
    const shape = (text: string): string[] =>
      text.split('\n').flatMap((line) => /^(#|\||-)/.exec(line)?.slice(0, 1) ?? []);
    expect(shape(german), id).toEqual(shape(english));
    expect(german).not.toBe(english);
  }
  expect(globSync('media/walkthrough/*.nls.de.md', { cwd: root })).toHaveLength(WALKTHROUGH.steps.length);
});
