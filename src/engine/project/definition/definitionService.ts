/** The owner's part of PROJECT.md: its follower, the checks of requests about it, and folders of projects that Autonomous did not make. */
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../shared/clock.ts';
import type { EngineRequests } from '../../job/requests/ports.ts';
import type { Store } from '../../state/store.ts';
import type { WorkspacePaths } from '../../state/workspacePaths.ts';
import type { ProjectRequestPorts } from '../requests.ts';
import { checkWorkdir, type WorkdirPorts, workdirFault } from '../workdir.ts';
import type { ProjectFiles } from './definitionPorts.ts';
import { followDefinitions } from './definitions.ts';
import { checkFree, foundDefinition } from './foundProjects.ts';
import type { TemplateFiles } from './templatePorts.ts';
import { beginDefinition } from './templates.ts';

export interface OwnDefinitions {
  readonly requestPorts: Pick<ProjectRequestPorts, 'checkFree' | 'begin' | 'checkWorkdir' | 'foundDefinition'>;
  /** Reads PROJECT.md before a request about its project is carried out, and answers after the file has the result. */
  around(requests: EngineRequests): EngineRequests;
  /** Finishes pending writes, and stops. */
  close(): Promise<void>;
}

export interface DefinitionServicePorts {
  readonly store: Store;
  readonly clock: Clock;
  /** The project files, fenced for this owner. */
  readonly files: ProjectFiles;
  /** The nearest first. */
  readonly templates: readonly TemplateFiles[];
  /** STATE_SYMLINK when a folder of this project leads elsewhere. */
  checkFolders(project: string): Promise<void>;
  readonly workdirs: Omit<WorkdirPorts, 'places'>;
  readonly places: Omit<WorkspacePaths, 'runtimeDir'>;
  /** The user's. */
  home(): string;
  problem(text: string): void;
}

export function openDefinitions(ports: DefinitionServicePorts): OwnDefinitions {
  const { store, clock, files, templates, problem } = ports;
  const check = async (path: string): Promise<string | null> => checkWorkdir(await workdirPorts(ports), path);
  const definitions = followDefinitions({
    store,
    clock,
    files,
    problem,
    checkWorkdir: check,
    workdirFault: async (path) => workdirFault(await workdirPorts(ports), path),
  });
  return {
    requestPorts: {
      checkFree: (name) => checkFree(files, name),
      begin: (input) => beginDefinition(templates, input),
      checkWorkdir: check,
      foundDefinition: async (name) => {
        const found = await foundDefinition(files, name);
        // After this the project is adopted, and its folder is read.
        await ports.checkFolders(name);
        return found;
      },
    },
    around: (requests) => aroundRequests(requests, store, definitions.look),
    close: definitions.close,
  };
}

async function workdirPorts({ workdirs, places, home: homeOf }: DefinitionServicePorts): Promise<WorkdirPorts> {
  /** The real path. For a path that does not exist: the path that it would have. */
  const realPlace = async (path: string): Promise<string> => {
    const real = await workdirs.realPath(path);
    return real ?? (dirname(path) === path ? path : join(await realPlace(dirname(path)), basename(path)));
  };
  const [projectDir, stateDir, jobsDir, configDir, home] = await Promise.all(
    [places.projectDir, places.stateDir, places.jobsDir, places.configDir, homeOf()].map(realPlace),
  );
  return { ...workdirs, places: { projectDir, stateDir, jobsDir, configDir, home } as WorkdirPorts['places'] };
}

/** Requests that depend on the content of the file, and requests that change its content or its effect. */
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

/** `look` resolves when the content of a project's PROJECT.md has been handled. */
export function aroundRequests(
  requests: EngineRequests,
  { state }: Pick<Store, 'state'>,
  look: (project: string) => Promise<void>,
): EngineRequests {
  const projectOf = (input: Readonly<Record<string, unknown>>): string => {
    const { project, name, approvalId, of, id } = input;
    if (of === 'project') return String(id);
    const asked = typeof approvalId === 'number' ? state.approvals.get(approvalId) : undefined;
    return String(project ?? name ?? (asked?.job_id === null ? asked.project_id : ''));
  };
  const all = Object.entries(requests).map(([name, request]) => {
    const handle = request as (input: Readonly<Record<string, unknown>>) => Promise<unknown>;
    const looked = async (input: Readonly<Record<string, unknown>>): Promise<unknown> => {
      if (ON_IT.has(name)) await look(projectOf(input));
      const answer = await handle(input);
      if (ABOUT_IT.has(name)) await look(projectOf(input));
      return answer;
    };
    return [name, ON_IT.has(name) || ABOUT_IT.has(name) ? looked : handle];
  });
  return Object.fromEntries(all) as unknown as EngineRequests;
}
