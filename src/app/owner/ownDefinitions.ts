/** The definitions of projects, for the owner. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../../adapters/files/files.ts';
import { checkProjectDirs } from '../../adapters/log/stateDir.ts';
import type { GitPort } from '../../engine/job/gitPorts.ts';
import {
  type DeskPorts,
  type OwnDefinitions,
  openDefinitions,
} from '../../engine/project/definition/definitionService.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import { errnoOf } from '../../shared/errors.ts';
import { filesIn, templatesIn } from '../open/definitions.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';

interface Options extends Pick<DeskPorts, 'store' | 'clock' | 'problem'> {
  readonly places: WorkspacePaths;
  readonly git: Pick<GitPort, 'inspect'>;
}

/** Definitions for the owner. */
export function ownDefinitions({ store, clock, places, git, problem }: Options): OwnDefinitions {
  return openDefinitions({
    store,
    clock,
    files: filesIn(places, filesOfEpoch(places.stateDir, store.epoch)),
    templates: templatesIn(places, problem),
    checkFolders: (project) => checkProjectDirs(places.stateDir, [project], nodeFiles),
    workdirs: {
      realPath: existing,
      topOf: async (path) => (await git.inspect(path)).root,
      isTop: async (path) => existsSync(join(path, '.git')),
    },
    places,
    home: homedir,
    problem,
  });
}

const MISSING = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'];

async function existing(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (MISSING.includes(String(errnoOf(thrown)))) return null;
    throw thrown;
  }
}
