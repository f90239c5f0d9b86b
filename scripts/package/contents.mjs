import { leftOutOf, TARGETS } from './targets.mjs';

/** Required contents of both packages. */
export const NEEDED_IN_BOTH = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
  'dist/THIRD_PARTY_LICENSES.txt',
  'dist/worker.js',
  // In the extension for `autonomous mcp`, which the editor starts for its agents.
  'dist/cli.js',
  'dist/sql-wasm.wasm',
  'dist/assets/scenarios/demo.yaml',
  'dist/assets/demo/brief.md',
  'dist/assets/demo/sample/gitignore',
  'dist/assets/demo/written/test/tokens.test.js',
  'dist/assets/templates/task/research-report.yaml',
  'dist/assets/templates/project/docs.md',
];

/** Required and forbidden contents of the packaged extension. */
const NEEDED = [
  ...NEEDED_IN_BOTH,
  'package.json',
  'package.nls.json',
  'package.nls.de.json',
  'dist/extension.js',
  'dist/webview/main.js',
  'dist/webview/main.css',
  'l10n/bundle.l10n.de.json',
  // Types of what is exported to other extensions.
  'autonomous.d.ts',
  'media/icon.png',
  'media/activity.svg',
  ...['demo', 'board', 'approve', 'diff', 'merge', 'model'].flatMap((page) => [
    `media/walkthrough/${page}.md`,
    `media/walkthrough/${page}.nls.de.md`,
  ]),
];
const UNWANTED =
  /(?<!^autonomous\.d)\.(map|tsx?|exe|vsix)$|(?<!^dist\/assets\/.*)\.test\.|^(src|test|scripts|bench|webview-ui|docs|node_modules|\.)|^CONTRIBUTING\.md$|screenshots/;

/** Sentences on what is missing or too much in a list of paths of the package for a system. */
export function contentFaults(paths, target) {
  const needed = [...NEEDED, TARGETS[target]].filter((path) => path !== null);
  const foreign = leftOutOf(target);
  return [
    ...needed.filter((path) => !paths.includes(path)).map((path) => `lacks ${path}`),
    ...paths.filter((path) => UNWANTED.test(path) || foreign.includes(path)).map((path) => `should not hold ${path}`),
  ];
}
