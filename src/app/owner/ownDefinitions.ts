/** The definitions of projects, and the requests about them, for the owner. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../../adapters/files/files.ts';
import { checkProjectDirs } from '../../adapters/log/stateDir.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { plainDefinition } from '../../core/project/reduceProjects.ts';
import type { GitPort } from '../../engine/job/gitPorts.ts';
import {
  type DefinitionServicePorts,
  type OwnDefinitions,
  openDefinitions,
} from '../../engine/project/definition/definitionService.ts';
import { checkProjectName } from '../../engine/project/names.ts';
import { type ProjectRequestPorts, projectRequests } from '../../engine/project/requests.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import { errnoOf } from '../../shared/errors.ts';
import { filesIn, templatesIn } from '../open/definitions.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';

interface Options extends Pick<DefinitionServicePorts, 'store' | 'clock' | 'problem'> {
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

interface RequestParts extends Pick<ProjectRequestPorts, 'store' | 'agents' | 'connections' | 'ready'> {
  readonly definitions: OwnDefinitions;
}

export function ownProjectRequests({ definitions, ...ports }: RequestParts) {
  return projectRequests({
    ...definitions.requestPorts,
    ...ports,
    defaults: plainDefinition(),
    conversationModel: DEFAULT_OPTIONS.models.worker,
    checkName: checkProjectName,
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
