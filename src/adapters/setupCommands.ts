/** The setup commands that a repository's lock files ask for. A proposal: the steward approves it once per workspace. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFields, parseJson } from '../core/json.ts';
import type { SetupGap } from '../shared/domain.ts';

/** Lock file of the top folder → the command that installs exactly what it says. First of a group wins. */
const BY_LOCK_FILE: readonly (readonly (readonly [file: string, command: string])[])[] = [
  [
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', 'yarn install --frozen-lockfile'],
    ['bun.lock', 'bun install --frozen-lockfile'],
    ['npm-shrinkwrap.json', 'npm ci'],
    ['package-lock.json', 'npm ci'],
  ],
  [
    ['uv.lock', 'uv sync --frozen'],
    ['poetry.lock', 'poetry install --no-interaction'],
  ],
  [['Cargo.lock', 'cargo fetch --locked']],
  [['go.sum', 'go mod download']],
  [['Gemfile.lock', 'bundle install']],
  [['composer.lock', 'composer install --no-interaction']],
];

export async function detectSetup(folder: string): Promise<readonly string[]> {
  const names = new Set(await readdir(folder));
  return BY_LOCK_FILE.flatMap((group) => group.find(([file]) => names.has(file))?.[1] ?? []);
}

interface Manifest {
  readonly file: string;
  /** Whether this text of the manifest names dependencies. */
  readonly names: (text: string) => boolean;
  readonly command: string;
}

const says =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/** The manifest of a group above, in its order, with the command that installs what it names without a lock file. */
const MANIFESTS: readonly (readonly Manifest[])[] = [
  [{ file: 'package.json', names: namesPackages, command: 'npm install' }],
  [
    { file: 'requirements.txt', names: says(/^\s*[\w.-]/m), command: 'pip install -r requirements.txt' },
    {
      file: 'pyproject.toml',
      names: says(/^dependencies\s*=\s*\[\s*["']|^\[tool\.poetry\.dependencies\]/m),
      command: 'pip install .',
    },
  ],
  [{ file: 'Cargo.toml', names: says(/^\[(?:dev-|build-)?dependencies\b/m), command: 'cargo fetch' }],
  [{ file: 'go.mod', names: says(/^require\b/m), command: 'go mod download' }],
  [{ file: 'Gemfile', names: says(/^\s*gem\b/m), command: 'bundle install' }],
  [{ file: 'composer.json', names: says(/"require(?:-dev)?"\s*:/), command: 'composer install --no-interaction' }],
];

function namesPackages(text: string): boolean {
  const manifest = parseJson(text);
  if (!isFields(manifest)) return false;
  const lists = [manifest['dependencies'], manifest['devDependencies']];
  return lists.some((list) => isFields(list) && Object.keys(list).length > 0);
}

/** The first manifest of the top folder that names dependencies and has no lock file. Null if there is none. */
export async function setupGap(folder: string): Promise<SetupGap | null> {
  const names = new Set(await readdir(folder));
  for (const [at, manifests] of MANIFESTS.entries()) {
    if (BY_LOCK_FILE[at]?.some(([lock]) => names.has(lock))) continue;
    for (const { file, names: isNaming, command } of manifests) {
      if (names.has(file) && isNaming(await readText(join(folder, file)))) return { manifest: file, command };
    }
  }
  return null;
}

/** A manifest that cannot be read names nothing: the gap is a hint only. */
async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
