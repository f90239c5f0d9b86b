/** docs/testing.md against docs/TRUST.md, README.md and its pages, package.json and the tests that it names. README.md stays short. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allSteps } from '../../scripts/test/steps.mjs';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Pages that continue README.md: a claim is in one of them. */
const README_PAGES = ['tour', 'demo-run', 'figures', 'dependencies', 'models'];
const MAX_README_LINES = 150;

const pages = {
  testing: read('docs/testing.md'),
  trust: read('docs/TRUST.md'),
  readme: read('README.md'),
  continued: README_PAGES.map((name) => read(`docs/${name}.md`)).join('\n'),
};
type Pages = typeof pages;

const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const proofScript = read('scripts/proof.mjs');

/** The folders below test/ whose tests `npm test` runs. */
const suites = new Set(
  allSteps('linux').flatMap(({ command }) => {
    // The runner of the tests in VS Code runs both.
    if (command.includes('test/editor/run.ts')) return ['editor', 'host'];
    const project = command[command.indexOf('--project') + 1];
    return command[0] === 'vitest' && project !== undefined ? [project.replace('*', '')] : [];
  }),
);

/** The rows of all tables with this head, as cells. Throws if there is no such table. */
function tables(page: string, head: string): string[][] {
  const cellsOf = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const found = page
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
    .filter(([first = '']) => cellsOf(first).join(' | ') === head);
  if (found.length === 0) throw new Error(`no table has the head: ${head}`);
  return found.flatMap((lines) => lines.slice(2).map(cellsOf));
}

/** The first cells; an empty one belongs to the row above. */
const names = (rows: readonly (readonly string[])[]): string[] =>
  rows.flatMap(([name = '']) => (name === '' ? [] : [name]));

const quoted = (cell: string): string => /^"(.*)"$/.exec(cell)?.[1] ?? `${cell} (not in quotes)`;
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');
const repeated = (all: readonly string[]): string[] => all.filter((one, at) => all.indexOf(one) !== at);

function idFaults({ testing, trust }: Pages): string[] {
  const here = names(tables(testing, 'id | what is tested | test | run by'));
  const there = tables(trust, 'id | promise | tested by').map(([id = '']) => id);
  const methods = names(tables(testing, 'method | what it does | test | run by'));
  const used = new Set([...trust.matchAll(/\bT\d+\b/g)].map(([method]) => method));
  return [
    ...repeated([...here, ...methods]).map((id) => `${id} has two rows`),
    ...repeated(there).map((id) => `docs/TRUST.md has two promises ${id}`),
    ...there.filter((id) => !/^[A-Z]\d+$/.test(id)).map((id) => `docs/TRUST.md has a promise without an id: ${id}`),
    ...there.filter((id) => !here.includes(id)).map((id) => `no row for the promise ${id}`),
    ...here.filter((id) => !there.includes(id)).map((id) => `no promise ${id}`),
    ...[...used].filter((method) => !methods.includes(method)).map((method) => `no row for the method ${method}`),
    ...(trust.match(/^\| promise /gm) ?? []).map(() => 'docs/TRUST.md has a table of promises without ids'),
  ];
}

function claimFaults({ testing, readme, continued }: Pages): string[] {
  const text = plain(`${readme}\n${continued}`);
  const lines = readme.trimEnd().split('\n').length;
  const claims = [
    ...names(tables(testing, 'claim | test | run by')),
    ...names(tables(testing, 'untested claim | why')),
  ].map(quoted);
  return [
    ...(lines > MAX_README_LINES ? [`README.md has ${lines} lines`] : []),
    ...repeated(claims).map((claim) => `two rows for: ${claim}`),
    ...claims.flatMap((claim) => {
      const places = text.split(claim).length - 1;
      return places === 1 ? [] : [`${places} times in README.md and its pages: ${claim}`];
    }),
  ];
}

/** Whether the command runs the test. */
function runs(command: string, path: string, title: string | undefined): boolean {
  const [, folder = ''] = path.split('/');
  const isReal = path.startsWith('test/integration/agent/real');
  const isPlanted = path.includes('Planted.test.ts') || title?.startsWith('planted: ') === true;
  const isTest = path.endsWith('.test.ts') || folder === 'editor' || folder === 'host';
  const [, name] = /^npm run proof -- (\w+)$/.exec(command) ?? [];
  if (command === 'npm test') return path.startsWith('test/') && suites.has(folder) && isTest && !isReal && !isPlanted;
  if (command.startsWith('npm run bench -- ')) return path === `bench/${command.split(' ').at(-1)}.bench.ts`;
  if (name === 'planted') return isPlanted;
  if (name === 'agents') return isReal;
  if (name === 'node22') return folder === 'integration' && sourceOf(path)?.includes('/terminalProcess.ts') === true;
  return name !== undefined && folder === name && proofScript.includes(`'${name}'`);
}

const sources = new Map<string, string | null>();

/** The text of a file without its escapes of quotes; null if there is no such file. */
function sourceOf(path: string): string | null {
  const known = sources.get(path);
  if (known !== undefined) return known;
  const isThere = path !== '' && existsSync(new URL(path, root));
  const source = isThere ? read(path).replaceAll(/\\(['"`])/g, '$1') : null;
  sources.set(path, source);
  return source;
}

function testFaults(test: string, commands: string): string[] {
  const [, path = '', title] = /^`([^`]+)`(?: "(.+)")?$/.exec(test) ?? [];
  const source = sourceOf(path);
  if (source === null) return [`no file: ${test}`];
  const words = [...commands.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command);
  return [
    ...(title === undefined || source.includes(title) ? [] : [`no test of this title: ${test}`]),
    ...(words.length === 0 ? [`no command runs ${test}`] : []),
    ...words.filter((command) => !runs(command, path, title)).map((command) => `${command} does not run ${test}`),
  ];
}

/** Of what stands outside of the tables, too. */
function nameFaults({ testing }: Pages): string[] {
  const paths = [...testing.matchAll(/\b(?:test|scripts|bench)\/[\w/.-]+\.(?:ts|mjs)\b/g)].map(([path]) => path);
  const named = [...testing.matchAll(/\bnpm (?:run ([\w:]+)|test\b)/g)].map(([, name = 'test']) => name);
  return [
    ...paths.filter((path) => sourceOf(path) === null).map((path) => `no file: ${path}`),
    ...named.filter((name) => scripts[name] === undefined).map((name) => `package.json has no script ${name}`),
  ];
}

function faultsOf(all: Pages): string[] {
  const rows = [
    ...tables(all.testing, 'method | what it does | test | run by').map((cells) => cells.slice(2)),
    ...tables(all.testing, 'id | what is tested | test | run by').map((cells) => cells.slice(2)),
    ...tables(all.testing, 'claim | test | run by').map((cells) => cells.slice(1)),
  ];
  const tests = rows.flatMap(([test = '', commands = '']) => testFaults(test, commands));
  return [...idFaults(all), ...claimFaults(all), ...tests, ...nameFaults(all)];
}

it('names each promise and method, and only claims, tests and commands that exist', () => {
  expect(faultsOf(pages)).toEqual([]);
});

/** Each with what is changed on which page, and the fault that is found. */
const STALE: readonly (readonly [string, keyof Pages, RegExp, string, RegExp])[] = [
  ['a promise that is gone', 'trust', /^\| L3 .*\n/m, '', /^no promise L3$/m],
  ['a new promise', 'trust', /\| L3 /, '| L99', /^no row for the promise L99$/m],
  ['a promise without an id', 'trust', /\| L3 /, '|    ', /without an id/],
  ['a table of promises without ids', 'trust', /\| id {2}\| promise/, '| promise', /without ids/],
  ['a promise with two rows', 'testing', /\| L3 /, '| L4 ', /^L4 has two rows$/m],
  ['a method without a row', 'testing', /\| T7 /, '| T77', /^no row for the method T7$/m],
  ['a claim that is gone', 'readme', /There is no telemetry/, 'There is none', /^0 times in README.md/m],
  ['a claim that is gone from a page', 'continued', /No shipped package has/, 'Few have', /^0 times in README.md/m],
  ['a README that is too long', 'readme', /$/, '\n.'.repeat(150), /^README.md has \d+ lines$/m],
  [
    'a claim that is too short',
    'testing',
    /"There is no telemetry"/,
    '"the"',
    /^\d\d+ times in README.md and its pages: the$/m,
  ],
  [
    'a claim with two rows',
    'testing',
    /"There is no telemetry"/,
    '"no telemetry" | |\n| "no telemetry"',
    /^two rows for/m,
  ],
  ['a file that was renamed', 'testing', /faults\/kills\.test/, 'faults/killed.test', /^no file/m],
  [
    'a file that a sentence names',
    'testing',
    /support\/suite\/env\.ts/,
    'support/gone.ts',
    /^no file: test\/support\/gone/m,
  ],
  ['a title that was changed', 'testing', /"the key is nowhere"/, '"the key is here"', /^no test of this title/m],
  ['a test without a command', 'testing', /(soak\/run.*)`npm run proof -- soak`/, '$1', /^no command runs/m],
  ['the soak in npm test', 'testing', /(soak\/run.*)`npm run proof -- soak`/, '$1`npm test`', /^npm test does not/m],
  ['real agents in npm test', 'testing', /(realCline.*)`npm run proof.*`/, '$1`npm test`', /^npm test does not run/m],
  ['a proof of another name', 'testing', /(test\/faults.*-- )faults`/, '$1hostile`', /-- hostile does not run/m],
  ['a benchmark of another name', 'testing', /bench -- host`/, 'bench -- hosts`', /^npm run bench -- hosts does not/m],
  ['a script that is gone', 'testing', /`npm run check`/, '`npm run checks`', /^package.json has no script checks$/m],
];

it.each(STALE)('finds %s', (_, page, find, put, fault) => {
  const changed = pages[page].replace(find, put);
  expect(changed).not.toBe(pages[page]);
  expect(faultsOf({ ...pages, [page]: changed }).join('\n')).toMatch(fault);
});
