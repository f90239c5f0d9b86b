/** A project whose job is done, made without a window; and what lies on its disk. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notes } from './notesScenario.ts';
import { terminal } from './terminal.ts';
import { newFolder, newProject, type World } from './world.ts';

/** File for `--scenario`. */
export function scenarioFile(world: World, delayMs: number): string {
  const file = join(newFolder(world, 'scenario'), 'notes.json');
  writeFileSync(file, JSON.stringify(notes(delayMs)));
  return file;
}

export async function finishedProject(world: World, name = 'sheet'): Promise<string> {
  const project = await newProject(world, name);
  const order = ['run', '--provider', 'simulated', '--scenario', scenarioFile(world, 0), '--yes', 'Write notes.'];
  const { code, stdout } = await terminal(world, project).run(...order);
  assert.equal(code, 0, stdout);
  return project;
}

/** Every file of the state with its content's hash. */
export function stateFiles(project: string): Readonly<Record<string, string>> {
  const folder = join(project, '.autonomous');
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const hashed = files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path, createHash('sha256').update(readFileSync(path)).digest('hex')];
  });
  return Object.fromEntries(hashed);
}
