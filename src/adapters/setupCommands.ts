/** The setup commands that a repository's lock files ask for. A proposal: the steward approves it once per workspace. */
import { readdir } from 'node:fs/promises';

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
