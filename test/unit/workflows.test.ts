/** The workflows of GitHub, which no test can run: their actions are pinned, and what they start exists. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const paths = globSync('.github/workflows/*.yml', { cwd: root }).sort();
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** A workflow of this repository, or an action by its commit with the version as a comment. */
const PINNED = /^uses: (?:\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;

function faultsOf(text: string): string[] {
  const uses = [...text.matchAll(/\buses: .*$/gm)].map(([use]) => use);
  const local = [...text.matchAll(/\buses: \.\/(\S+)/g), ...text.matchAll(/\brun: (\.ci\/\S+)/g)];
  const named = [...text.matchAll(/\bnpm (?:run ([\w:]+)|test\b)/g)].map(([, name = 'test']) => name);
  const { permissions } = parse(text) as Workflow;
  return [
    ...uses.filter((use) => !PINNED.test(use)).map((use) => `not pinned by a commit with its version: ${use}`),
    ...local.flatMap(([, path = '']) => (existsSync(new URL(path, root)) ? [] : [`no file: ${path}`])),
    ...named.filter((name) => scripts[name] === undefined).map((name) => `package.json has no script ${name}`),
    ...(JSON.stringify(permissions) === '{"contents":"read"}' ? [] : ['jobs may write unless one of them asks for it']),
  ];
}

it('there is a workflow of the tests and one of a release', () => {
  expect(paths.map((path) => path.replaceAll('\\', '/'))).toEqual([
    '.github/workflows/release.yml',
    '.github/workflows/test.yml',
  ]);
});

it.each(paths)('%s pins each action and names only what exists', (path) => {
  expect(faultsOf(read(path))).toEqual([]);
});

it('finds what is wrong in a workflow', () => {
  const text = read('.github/workflows/test.yml')
    .replace(/checkout@[0-9a-f]{40} # v[\d.]+/, 'checkout@v7')
    .replace('run: .ci/run', 'run: .ci/gone')
    .replace('npm run demo', 'npm run gone')
    .replace('contents: read', 'contents: write');
  expect(faultsOf(text)).toEqual([
    'not pinned by a commit with its version: uses: actions/checkout@v7',
    'no file: .ci/gone',
    'package.json has no script gone',
    'jobs may write unless one of them asks for it',
  ]);
});

it('a release publishes only what was tested, and only the jobs that need them have more rights', () => {
  const release = parse(read('.github/workflows/release.yml')) as Workflow;
  const rights = Object.entries(release.jobs).map(([name, { permissions = {} }]) => [name, Object.keys(permissions)]);
  expect(Object.fromEntries(rights)).toEqual({
    test: [],
    package: ['contents', 'id-token', 'attestations'],
    marketplace: [],
    'open-vsx': [],
    npm: ['contents', 'id-token'],
    github: ['contents'],
  });
  expect(release.jobs['package']).toMatchObject({ needs: 'test' });
  for (const job of ['marketplace', 'open-vsx', 'npm']) {
    expect(release.jobs[job]).toMatchObject({ needs: 'package', environment: 'release' });
  }
});
