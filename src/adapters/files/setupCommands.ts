/** Proposes setup commands from a repository's lock files. The steward approves a proposal once per workspace. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFields, parseJson } from '../../core/text/json.ts';
import type { SetupGap } from '../../shared/job/rows.ts';

interface Manifest {
  readonly file: string;
  /** Whether this text of the manifest names dependencies. */
  readonly names: (text: string) => boolean;
  /** Installs what the manifest names without a lock file. */
  readonly command: string;
}

interface Ecosystem {
  /** Lock files of the top folder, each with the command that installs exactly its content. The first one counts. */
  readonly locks: readonly (readonly [file: string, command: string])[];
  readonly manifests: readonly Manifest[];
}

const says =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    locks: [
      ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
      ['yarn.lock', 'yarn install --frozen-lockfile'],
      ['bun.lock', 'bun install --frozen-lockfile'],
      ['npm-shrinkwrap.json', 'npm ci'],
      ['package-lock.json', 'npm ci'],
    ],
    manifests: [{ file: 'package.json', names: namesPackages, command: 'npm install' }],
  },
  {
    locks: [
      ['uv.lock', 'uv sync --frozen'],
      ['poetry.lock', 'poetry install --no-interaction'],
    ],
    manifests: [
      { file: 'requirements.txt', names: says(/^\s*[\w.-]/m), command: 'pip install -r requirements.txt' },
      {
        file: 'pyproject.toml',
        names: says(/^dependencies\s*=\s*\[\s*["']|^\[tool\.poetry\.dependencies\]/m),
        command: 'pip install .',
      },
    ],
  },
  {
    locks: [['Cargo.lock', 'cargo fetch --locked']],
    manifests: [{ file: 'Cargo.toml', names: says(/^\[(?:dev-|build-)?dependencies\b/m), command: 'cargo fetch' }],
  },
  {
    locks: [['go.sum', 'go mod download']],
    manifests: [{ file: 'go.mod', names: says(/^require\b/m), command: 'go mod download' }],
  },
  {
    locks: [['Gemfile.lock', 'bundle install']],
    manifests: [{ file: 'Gemfile', names: says(/^\s*gem\b/m), command: 'bundle install' }],
  },
  {
    locks: [['composer.lock', 'composer install --no-interaction']],
    manifests: [
      {
        file: 'composer.json',
        names: says(/"require(?:-dev)?"\s*:/),
        command: 'composer install --no-interaction',
      },
    ],
  },
];

export async function detectSetup(folder: string): Promise<readonly string[]> {
  const present = new Set(await readdir(folder));
  return ECOSYSTEMS.flatMap(({ locks }) => locks.find(([file]) => present.has(file))?.[1] ?? []);
}

function namesPackages(text: string): boolean {
  const manifest = parseJson(text);
  if (!isFields(manifest)) return false;
  const lists = [manifest['dependencies'], manifest['devDependencies']];
  return lists.some((list) => isFields(list) && Object.keys(list).length > 0);
}

/** The first manifest of the top folder that names dependencies and has no lock file. Null if there is none. */
export async function setupGap(folder: string): Promise<SetupGap | null> {
  const present = new Set(await readdir(folder));
  for (const { locks, manifests } of ECOSYSTEMS) {
    if (locks.some(([lock]) => present.has(lock))) continue;
    for (const { file, names, command } of manifests) {
      if (present.has(file) && names(await readText(join(folder, file)))) return { manifest: file, command };
    }
  }
  return null;
}

/** A manifest that cannot be read names nothing: the gap is a hint only. */
async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
