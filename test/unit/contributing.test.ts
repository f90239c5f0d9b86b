/** What a contributor finds when the folder is opened in VS Code: each target, task and link exists, and nothing of it is packed. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contentFaults } from '../../scripts/package/contents.mjs';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

interface Target {
  readonly name: string;
  readonly type: string;
  readonly preLaunchTask?: string;
}
interface Task {
  readonly label: string;
  readonly script?: string;
}

const launch = read('.vscode/launch.json');
const { configurations } = JSON.parse(launch) as { readonly configurations: readonly Target[] };
const { tasks } = JSON.parse(read('.vscode/tasks.json')) as { readonly tasks: readonly Task[] };
const manifest = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly files: readonly string[];
};

it('F5 starts the extension; the page and one test can be started too', () => {
  expect(configurations[0]?.type).toBe('extensionHost');
  expect(configurations.map(({ type }) => type)).toContain('chrome');
  expect(configurations.map(({ name }) => name)).toContain('Tests of this file');
});

it('targets name tasks and files that exist, and tasks name scripts that exist', () => {
  const labels = tasks.map(({ label }) => label);
  const needed = configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []);
  expect(needed.filter((task) => !labels.includes(task))).toEqual([]);

  // dist/ exists after a build only.
  const paths = [...launch.matchAll(/\$\{workspaceFolder\}\/((?!dist\/)[^"*]+)"/g)].map(([, path = '']) => path);
  expect(paths).toContain('webview-ui/index.html');
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);

  const scripts = tasks.flatMap(({ script }) => script ?? []);
  expect(scripts.filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
});

it('CONTRIBUTING.md links to files that exist', () => {
  const targets = [...read('CONTRIBUTING.md').matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  expect(targets).toEqual(expect.arrayContaining(['AGENTS.md', 'docs/testing.md']));
  expect(targets.filter((target) => !existsSync(new URL(target, root)))).toEqual([]);
});

it('neither package takes the files for contributors', () => {
  const files = ['.vscode/launch.json', '.github/workflows/test.yml', 'CONTRIBUTING.md'];
  const refused = contentFaults(files, 'linux-x64').filter((fault) => fault.startsWith('should not hold'));
  expect(refused).toEqual(files.map((path) => `should not hold ${path}`));
  expect(manifest.files.filter((path) => /^\.|CONTRIBUTING/.test(path))).toEqual([]);
});
