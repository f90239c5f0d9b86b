/** Finds the user's programs and sign-ins for agents before they start. */
import { realpathSync } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { mayBeWithin } from '../../../core/guard/foldedPath.ts';
import type { AgentMachine } from '../../../engine/agent/start/startPorts.ts';
import { errnoOf } from '../../../shared/errors.ts';
import { findExecutable, resolved } from '../../platform/executables.ts';

export const agentMachine: AgentMachine = {
  findProgram: findExecutable,
  installations,
  isInHome: (path) =>
    access(join(homedir(), path)).then(
      () => true,
      () => false, // missing or inaccessible: it cannot be copied
    ),
  homeText: (path) => textOf(join(homedir(), path)),
  writeFile: (path, text) => writeFile(path, text),
};

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return null;
    throw thrown;
  }
}

function installations(programs: readonly string[], banned: readonly string[]): string[] {
  const homes = [homedir(), ...banned].flatMap((home) => [home, resolved(home)]);
  const folders = programs.flatMap((file) => {
    const real = realpathSync.native(file);
    const modules = real.indexOf(`${sep}node_modules${sep}`);
    return [dirname(file), modules < 0 ? dirname(real) : join(real.slice(0, modules), 'node_modules')];
  });
  return [...new Set(folders)].filter((folder) => !homes.some((home) => mayBeWithin(home, folder)));
}
