/** The steps of `npm test` and of `npm run check`. */
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from '../setup.mjs';
import { affected, changedSince, importGraph, toFollow } from './imports.mjs';
import { reportOf } from './runSteps.mjs';
import { suiteReason } from './systems.mjs';

/** @typedef {import('./schedule.mjs').Step} Step */

/** @type {readonly Step[]} */
export const STATIC = [
  { name: 'types', command: ['tsc', '--noEmit'], seconds: 6 },
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'], seconds: 6 },
  { name: 'unused code and packages', command: ['knip'], seconds: 6 },
  { name: 'types of the page', command: ['tsc', '--noEmit', '-p', 'webview-ui/tsconfig.json'], seconds: 3 },
  { name: 'lock file', command: ['node', 'scripts/lock.mjs', '--check'], seconds: 1 },
  { name: 'plain English', command: ['node', 'scripts/lint/prose.mjs'], seconds: 1 },
];
const CHECKED = STATIC.map(({ name }) => name);

/** @type {Step} */
export const ARCHITECTURE = {
  name: 'architecture',
  command: ['vitest', 'run', '--project', 'unit', 'test/unit/architecture.test.ts'],
  seconds: 3,
};

const reporters = (name) => ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(name)}`];

/** A vitest suite: a step whose report has the name of its project. */
const suite = (project, name, seconds, files = [], projects = project) => ({
  name,
  report: project,
  needs: CHECKED,
  seconds,
  command: ['vitest', 'run', '--project', projects, ...reporters(project), ...files],
});

/** Suites whose files are selected by their imports, in the order of their start. */
const CHOSEN = [
  { project: 'integration', name: 'integration tests', seconds: 150 },
  { project: 'hostile', name: 'proof against hostile input, short form', seconds: 60 },
  { project: 'faults', name: 'proof against faults, short form', seconds: 60 },
  { project: 'webview', name: 'page tests', seconds: 40 },
];

const EDITOR_FILES = [
  'test/editor/run.ts',
  'src/extension.ts',
  'src/worker.ts',
  'src/cli.ts',
  'webview-ui/src/main.tsx',
];

/**
 * One window after the other, they take longest: what runs beside them fills the gaps.
 * @type {readonly Step[]}
 */
const EDITOR = [
  { name: 'VS Code for the tests', command: ['node', 'scripts/test/installVsCode.mjs'], seconds: 45, ahead: true },
  { name: 'build', command: ['node', 'esbuild.mjs'], seconds: 2, needs: CHECKED },
  { name: 'package', command: ['node', 'scripts/package.mjs'], seconds: 5, needs: ['build'] },
  {
    name: 'extension in VS Code',
    report: 'editor',
    ahead: true,
    needs: ['package', 'VS Code for the tests'],
    seconds: 240,
    command: [
      'node',
      'test/editor/run.ts',
      `--vsix=${join(root, 'autonomous.vsix')}`,
      `--report=${reportOf('editor')}`,
    ],
  },
];

/** The test files of a project of vitest. Real agents need a registry and are proofs: `npm run proof -- agents`. */
const filesOf = (project) =>
  readdirSync(join(root, 'test', project), { recursive: true })
    .map((path) => `test/${project}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/agents/real'));

const UNIT = suite('unit', 'unit tests', 20, [], 'unit*');

/** Whether a system runs a suite. @param {string} project */
const runsOn = (project, platform = process.platform) => suiteReason(project, platform) === undefined;

/** Everything, in the order in which it starts. @param {string} [platform] @returns {readonly Step[]} */
export function allSteps(platform) {
  const [install, ...editor] = runsOn('editor', platform) ? EDITOR : [];
  return [
    // First what the longest step needs.
    ...(install ? [install] : []),
    ...STATIC,
    ...editor,
    { ...UNIT, needs: [] },
    ...CHOSEN.filter(({ project }) => runsOn(project, platform)).map((one) =>
      suite(one.project, one.name, one.seconds),
    ),
  ];
}

/**
 * The static checks and unit tests, and of the other suites what a change can affect.
 * @param {string} ref the commit that the change starts from
 * @returns {Promise<{ steps: readonly Step[], changed: readonly string[] }>}
 */
export async function stepsSince(ref) {
  const changed = changedSince(ref);
  const follow = toFollow(changed);
  if (follow === 'everything') return { steps: allSteps(), changed };
  const quick = [...STATIC, { ...UNIT, needs: [] }];
  if (follow === 'nothing') return { steps: quick, changed };
  const edges = await importGraph();
  const chosen = CHOSEN.filter(({ project }) => runsOn(project)).flatMap(({ project, name, seconds }) => {
    const all = filesOf(project);
    const files = affected(all, follow, edges);
    if (files.length === 0) return [];
    return [suite(project, name, (seconds * files.length) / all.length, files.length === all.length ? [] : files)];
  });
  const isEditor = runsOn('editor') && affected(EDITOR_FILES, follow, edges).length > 0;
  const [install, ...editor] = isEditor ? EDITOR : [];
  return { steps: [...(install ? [install] : []), ...quick, ...editor, ...chosen], changed };
}
