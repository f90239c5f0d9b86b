/** A repository of one commit, copied from one that the test run made before: four git processes less for each. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where the copied ones lie; null: each is made anew, as outside of vitest. */
let templates: string | null = null;

export function keepTemplatesIn(folder: string): void {
  templates = folder;
}

/**
 * Puts a repository with one commit on `main` into the empty folder. `make` makes one into a folder; `name` says what is in it: the same
 * for the same. Gives the commit.
 */
export function copyRepository(repo: string, name: string, make: (folder: string) => void): string {
  if (templates === null) make(repo);
  else cpSync(templateOf(templates, name, make), repo, { recursive: true, preserveTimestamps: true });
  return readFileSync(join(repo, '.git', 'refs', 'heads', 'main'), 'utf8').trim();
}

function templateOf(folder: string, name: string, make: (folder: string) => void): string {
  const template = join(folder, createHash('sha1').update(name).digest('hex'));
  if (existsSync(template)) return template;
  mkdirSync(folder, { recursive: true });
  const made = mkdtempSync(join(folder, 'made-'));
  make(made);
  try {
    renameSync(made, template);
  } catch (thrown) {
    // Another test file was quicker.
    if (!existsSync(template)) throw thrown;
    rmSync(made, { recursive: true });
  }
  return template;
}
