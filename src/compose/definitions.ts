/** What the owner needs of PROJECT.md: its follower, the checks of wishes about it, and the folders of projects that are none of ours. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { nodeFiles } from '../adapters/files.ts';
import { checkProjectDirs } from '../adapters/log/stateDir.ts';
import { openProjectFiles } from '../adapters/projectFiles.ts';
import { templateFiles } from '../adapters/templateFiles.ts';
import type { GitPort } from '../engine/gitPorts.ts';
import { ownFiles } from '../engine/state/ownFiles.ts';
import type { Places } from '../engine/state/places.ts';
import type { Store } from '../engine/store.ts';
import type { FileOps } from '../engine/storePorts.ts';
import type { Wishes } from '../engine/wishes/ports.ts';
import { MAX_DEFINITION_BYTES } from '../projects/definition.ts';
import type { ProjectFiles } from '../projects/definitionPorts.ts';
import { followDefinitions } from '../projects/definitions.ts';
import { checkFree, type FoundProject, findProjects, foundDefinition } from '../projects/foundProjects.ts';
import type { TemplateFiles } from '../projects/templatePorts.ts';
import { beginDefinition, templateNames, templateText } from '../projects/templates.ts';
import type { ProjectWishPorts } from '../projects/wishes.ts';
import { checkWorkdir, type WorkdirPorts, workdirFault } from '../projects/workdir.ts';
import type { Clock } from '../shared/clock.ts';
import type { State } from '../shared/state.ts';
import { filesOfEpoch, shippedIn } from './stateFiles.ts';

export interface OwnDefinitions {
  readonly wishPorts: Pick<ProjectWishPorts, 'checkFree' | 'begin' | 'checkWorkdir' | 'foundDefinition'>;
  /** A wish about a project is granted on what its PROJECT.md says now, and answered when the file says what came of it. */
  around(wishes: Wishes): Wishes;
  /** Writes what is left, and stops. */
  close(): Promise<void>;
}

interface Options {
  readonly store: Store;
  readonly clock: Clock;
  readonly places: Places;
  readonly git: GitPort;
  problem(text: string): void;
}

const filesIn = (places: Places, ops: FileOps = nodeFiles): ProjectFiles =>
  openProjectFiles({ projectsDir: join(places.stateDir, 'projects'), ops, maxBytes: MAX_DEFINITION_BYTES });

function templatesIn({ stateDir, configDir }: Places, problem?: (text: string) => void): readonly TemplateFiles[] {
  const kind = { ending: '.md', maxBytes: MAX_DEFINITION_BYTES };
  return [
    {
      origin: 'workspace',
      ...templateFiles(join(stateDir, 'templates'), ownFiles(shippedIn(stateDir, problem), nodeFiles), kind),
    },
    { origin: 'user', ...templateFiles(join(configDir, 'templates'), nodeFiles, kind) },
  ];
}

export function openDefinitions(options: Options): OwnDefinitions {
  const { store, clock, places, problem } = options;
  const files = filesIn(places, filesOfEpoch(places.stateDir, store.epoch));
  const check = async (path: string): Promise<string | null> => checkWorkdir(await workdirPorts(options), path);
  const definitions = followDefinitions({
    store,
    clock,
    files,
    problem,
    checkWorkdir: check,
    workdirFault: async (path) => workdirFault(await workdirPorts(options), path),
  });
  return {
    wishPorts: {
      checkFree: (name) => checkFree(files, name),
      begin: (input) => beginDefinition(templatesIn(places, problem), input),
      checkWorkdir: check,
      foundDefinition: async (name) => {
        const found = await foundDefinition(files, name);
        // From here on it is one of ours, and read.
        await checkProjectDirs(places.stateDir, [name], nodeFiles);
        return found;
      },
    },
    around: (wishes) => aroundWishes(wishes, store, definitions.look),
    close: definitions.close,
  };
}

/** Of what is not there yet, where it would be. */
async function realPlace(path: string): Promise<string> {
  const real = await existing(path);
  return real ?? (dirname(path) === path ? path : join(await realPlace(dirname(path)), basename(path)));
}

async function existing(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EACCES') return null;
    throw thrown;
  }
}

async function workdirPorts({ git, places }: Options): Promise<WorkdirPorts> {
  const [projectDir, stateDir, jobsDir, configDir, home] = await Promise.all(
    [places.projectDir, places.stateDir, places.jobsDir, places.configDir, homedir()].map(realPlace),
  );
  const all = { projectDir, stateDir, jobsDir, configDir, home } as WorkdirPorts['places'];
  return {
    realPath: existing,
    topOf: async (path) => (await git.inspect(path)).root,
    isTop: async (path) => existsSync(join(path, '.git')),
    places: all,
  };
}

/** Wishes that are granted on what the file says, and those that change what it says or whether it counts. */
const ON_IT = new Set(['submitBrief', 'sendMessage', 'defineProject', 'resumeProject']);
const ABOUT_IT = new Set([
  'createProject',
  'adoptProject',
  'defineProject',
  'suspendProject',
  'resumeProject',
  'completeProject',
  'archiveProject',
  'unparkProject',
  'tryNow',
  'decide',
]);

function aroundWishes(wishes: Wishes, { state }: Store, look: (project: string) => Promise<void>): Wishes {
  const projectOf = (input: Readonly<Record<string, unknown>>): string => {
    const { project, name, approvalId, of, id } = input;
    if (of === 'project') return String(id);
    const asked = typeof approvalId === 'number' ? state.approvals.get(approvalId) : undefined;
    return String(project ?? name ?? (asked?.job_id === null ? asked.project_id : ''));
  };
  const all = Object.entries(wishes).map(([name, wish]) => {
    const grant = wish as (input: Readonly<Record<string, unknown>>) => Promise<unknown>;
    const looked = async (input: Readonly<Record<string, unknown>>): Promise<unknown> => {
      if (ON_IT.has(name)) await look(projectOf(input));
      const answer = await grant(input);
      if (ABOUT_IT.has(name)) await look(projectOf(input));
      return answer;
    };
    return [name, ON_IT.has(name) || ABOUT_IT.has(name) ? looked : grant];
  });
  return Object.fromEntries(all) as unknown as Wishes;
}

/** Folders of projects that no event of ours made. Needs no owner. */
export function foundProjects(places: Places, state: Pick<State, 'projects'>): Promise<readonly FoundProject[]> {
  return findProjects(filesIn(places), state);
}

/** The text that this template begins with. Throws NOT_FOUND or INVALID_INPUT. Needs no owner. */
export async function templateBody(places: Places, name: string): Promise<string> {
  return templateText(templatesIn(places), name);
}

/** All templates that a new project may begin with. Needs no owner. */
export function projectTemplates(places: Places): Promise<readonly string[]> {
  return templateNames(templatesIn(places));
}
