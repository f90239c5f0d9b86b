/** A project whose job is done, made without a window; and what is on its disk. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notes } from './notesScenario.ts';
import type { Workplace } from './world.ts';

/** A file for `--scenario`: of a job of three features. */
export function longScenario({ project }: Workplace): string {
  return scenarioFile(project, notes(3));
}

/** Of a job of one feature. */
export function shortScenario({ project }: Workplace): string {
  return scenarioFile(project, notes(1));
}

/** Beside the project. */
function scenarioFile(project: string, scenario: object): string {
  const file = `${project}-notes.json`;
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}

export async function finishJob(place: Workplace): Promise<void> {
  const order = ['run', '--provider', 'simulated', '--scenario', shortScenario(place), '--yes', 'Write notes.'];
  const { code, printed } = await place.terminal.autonomous(...order);
  assert.equal(code, 0, printed);
}

function hashes(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const hashed = files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path, createHash('sha256').update(readFileSync(path)).digest('hex')];
  });
  return Object.fromEntries(hashed);
}

/** Every file of the state with its content's hash. */
export const stateFiles = (project: string) => hashes(join(project, '.autonomous'));

/** Of what was done, all is in the events; the rest is made of them, at a time of its own. */
export const eventFiles = (project: string) => hashes(join(project, '.autonomous', 'events'));
