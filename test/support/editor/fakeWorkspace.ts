/** Workspaces without a disk: a test gives the calls that it needs, and every other call fails. */
import type { FoundOwner, Look, Place, Workspace, Workspaces } from '../../../src/engine/workspace/workspace.ts';
import { failure } from '../../../src/shared/errors.ts';
import { type AtWork, NOTHING_AT_WORK } from '../../../src/shared/workspace/atWork.ts';
import type { State } from '../../../src/shared/workspace/state.ts';

type Call = (...given: never[]) => unknown;
type Some<T> = { -readonly [K in keyof T]?: T[K] extends Call ? T[K] : Some<T[K]> };

/** Some of its calls. */
export type WorkspaceParts = Some<Omit<Workspace, 'place'>>;
export type WorkspacesParts = Some<Omit<Workspaces, 'at'>>;

const PLACE: Place = { folder: '/work', jobsDir: null };

const no = (what: string) => async (): Promise<never> => {
  throw failure('INTERNAL', `no ${what} here`);
};

export function fakeWorkspace(parts: WorkspaceParts, place: Place = PLACE): Workspace {
  return {
    look: no('look'),
    // Nobody else starts to own it.
    newestEvents: async () => null,
    isOwned: async () => false,
    owner: no('owner'),
    open: no('engine'),
    restoreState: no('log'),
    diagnose: no('machine'),
    taskTemplates: no('template'),
    evaluate: no('eval'),
    exportRecord: no('record'),
    ...parts,
    place,
    job: {
      checkFirst: no('check'),
      rehearse: no('dry run'),
      preview: no('request'),
      diff: no('diff'),
      changedPaths: no('git'),
      textAt: no('git'),
      kept: no('attempt'),
      restore: no('attempt'),
      cleanUp: no('clone'),
      ...parts.job,
    },
    session: { transcript: no('transcript'), artifact: no('artifact'), ...parts.session },
    agent: { list: no('agent'), look: no('agent'), ...parts.agent },
    model: {
      list: no('connection'),
      add: no('connection'),
      check: no('connection'),
      models: no('connection'),
      refresh: no('connection'),
      remove: no('connection'),
      terms: no('connection'),
      ...parts.model,
    },
    project: {
      found: no('project'),
      templates: no('template'),
      templateBody: no('template'),
      definition: no('definition'),
      memory: no('memory'),
      ...parts.project,
    },
    api: { serve: no('port'), token: no('token'), ...parts.api },
  };
}

/** `workspace` is at each place; its parts are looked up anew each time. */
export function fakeWorkspaces(workspace: WorkspaceParts, parts: WorkspacesParts = {}): Workspaces {
  return {
    taskText: no('task'),
    nameFault: no('name'),
    callTool: no('tool'),
    notifyOs: no('notification'),
    sandbox: no('sandbox'),
    ...parts,
    at: (place) => fakeWorkspace(workspace, place),
    demo: { make: no('demo'), makeSample: no('demo'), briefFor: no('demo'), ...parts.demo },
  };
}

/** The calls that only look: no process owns the workspace, or one that works on `atWork` does. */
export function lookingAt(state: State, atWork: AtWork | null = null, found: Partial<Look> = {}) {
  const look: Look = {
    origin: 'own',
    projectDir: '/work',
    state,
    problems: [],
    ownerAlive: atWork !== null,
    lostTail: null,
  };
  return {
    look: async () => ({ ...look, ...found }),
    owner: async (): Promise<FoundOwner> => ({
      owned: atWork !== null,
      atWork: atWork ?? NOTHING_AT_WORK,
      silent: null,
    }),
  };
}
