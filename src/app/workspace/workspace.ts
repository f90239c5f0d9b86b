/**
 * Opens the workspaces of this machine for the terminal and the editor. This file loads no part of the engine: reading
 * a workspace loads its store, and each other part is loaded at first use.
 */
import { join } from 'node:path';
import { runtimeDir } from '../../adapters/paths.ts';
import { problemText } from '../../core/text/problemText.ts';
import type { SandboxState } from '../../engine/session/commandPorts.ts';
import { STATE_FOLDER } from '../../engine/state/workspacePaths.ts';
import type { StoredKey } from '../../engine/workspace/connectionsApi.ts';
import type { Account, Demos, OwnerSettings, Place, Workspace, Workspaces } from '../../engine/workspace/workspace.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure } from '../../shared/errors.ts';
import type { StepActions } from '../../shared/task/taskWork.ts';
import type { Credentials, InjectedProviders } from '../open/model/models.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';
import { findWorkspacePaths } from './findWorkspacePaths.ts';

type Environment = ReadOnlyWorkspace['env'];

/** The process that reads workspaces, and may become the owner of one. */
export interface Surface {
  readonly clock: Clock;
  readonly version: string;
  readonly workerScript: URL;
  readonly wasmFile: string;
  /** The environment of programs that this process starts, without PATH entries inside these folders. */
  readonly envOutside: (folders: readonly string[]) => Environment;
  /** Actions of steps that other extensions have registered in this process. */
  readonly stepActions?: StepActions;
  /** In addition to Anthropic and the simulated model; loaded with the first owner. */
  readonly providers?: () => Promise<InjectedProviders>;
}

export function openWorkspaces(surface: Surface): Workspaces {
  const { clock, envOutside } = surface;
  return {
    at: (place) => workspaceAt(surface, place),
    demo: DEMOS,
    taskText: async () => (await import('./taskTexts.ts')).taskText(clock),
    nameFault: async (name) => {
      const { checkProjectName } = await import('../../engine/project/names.ts');
      try {
        checkProjectName(name);
        return null;
      } catch (thrown) {
        const { message, hint } = asFailure(thrown);
        return `${message}. ${hint}`;
      }
    },
    callTool: async ({ state, request }, name, input) => {
      const { callMainTool } = await import('../../engine/main/mainTools.ts');
      return callMainTool({ state, request, clock, readMemory: null }, name, input);
    },
    notifyOs: async (projectDir, notice) => {
      const { notifyOs } = await import('../../adapters/shell/osNotification.ts');
      const folders = projectDir === null ? [] : [projectDir];
      await notifyOs(notice, envOutside(folders), folders);
    },
    sandbox: () => sandboxState(clock),
  };
}

const DEMOS: Demos = {
  make: async () => (await import('../demo/demo.ts')).makeDemo(),
  makeSample: async (folder) => {
    const [{ mkdir }, { makeRepository }] = await Promise.all([import('node:fs/promises'), import('../demo/demo.ts')]);
    await mkdir(folder, { recursive: true });
    await makeRepository(folder);
  },
  briefFor: async (folder) => (await import('../demo/demoFolder.ts')).demoBriefFor(folder),
};

function workspaceAt(surface: Surface, place: Place): Workspace {
  const { clock, version } = surface;
  const readOnly = () => readOnlyOf(surface, place);
  const places = async () => (await readOnly()).places;
  const stateDirOf = async (projectDir: string | null) =>
    projectDir === null ? (await places()).stateDir : join(projectDir, STATE_FOLDER);
  const listed = () => import('./model/listedConnections.ts');
  const changes = () => import('./model/changeConnections.ts');
  const book = async (storedKey?: StoredKey) => {
    const account = storedKey === undefined ? undefined : { key: () => null, baseUrl: null, storedKey };
    return (await credentialsOf(clock, await readOnly(), account)).connections;
  };
  const owner = async (as: OwnerSettings) => ownerOptions(surface, await readOnly(), as);
  return {
    place,
    look: async () => {
      const [{ lookAtBoard }, { isOwned }] = await Promise.all([
        import('./boardState.ts'),
        import('../open/ownership/presence.ts'),
      ]);
      const seen = await readOnly();
      const { origin, state, problems, lostTail } = await lookAtBoard(seen);
      const { projectDir } = seen.places;
      return {
        origin,
        projectDir,
        state,
        problems: problems.map(problemText),
        ownerAlive: await isOwned(seen),
        lostTail,
      };
    },
    newestEvents: async (projectDir) => {
      const { newestEvents } = await import('../open/ownership/presence.ts');
      return newestEvents(await stateDirOf(projectDir));
    },
    isOwned: async (projectDir) => {
      const { isOwned } = await import('../open/ownership/presence.ts');
      return isOwned({ places: { stateDir: await stateDirOf(projectDir), runtimeDir: runtimeDir() }, clock });
    },
    owner: async (state, ownerAlive) => (await import('./findOwner.ts')).findOwner(await readOnly(), state, ownerAlive),
    open: async (as) => (await import('./engine.ts')).openEngine(await owner(as)),
    restoreState: async () => (await import('../open/restoreState.ts')).restoreState(await owner({ work: 'nothing' })),
    diagnose: async ({ key, account, ...filed }) => {
      const { diagnoseAll } = await import('./diagnose.ts');
      const seen = await readOnly();
      const injected = filed.provider === 'vscode-lm' ? ((await surface.providers?.()) ?? {}) : {};
      return diagnoseAll(seen, key, {
        ...filed,
        credentials: await credentialsOf(clock, seen, account),
        injected,
      });
    },
    job: jobsOf(readOnly, owner),
    session: {
      transcript: async (id) => (await import('../open/transcripts.ts')).readTranscript(await places(), id),
      artifact: async (name) => {
        const [{ openArtifacts }, { nodeFiles }] = await Promise.all([
          import('../../adapters/files/artifacts.ts'),
          import('../../adapters/files/files.ts'),
        ]);
        return openArtifacts((await places()).stateDir, nodeFiles).get(name);
      },
    },
    agent: {
      list: async () => (await import('./listedAgents.ts')).listAgents(await readOnly()),
      look: async (options = {}) =>
        (await import('./listedAgents.ts')).lookAtAgents(await readOnly(), { ...options, version }),
    },
    model: {
      list: async (storedKey) => (await listed()).listConnections(await readOnly(), storedKey),
      add: async (name, connection) => (await changes()).addConnection(await readOnly(), name, connection),
      remove: async (name) => (await changes()).removeConnection(await readOnly(), name),
      check: async (name, storedKey) => {
        const { checkConnection } = await import('./model/checkConnection.ts');
        return checkConnection(await readOnly(), await book(storedKey), name);
      },
      models: async (name, storedKey) => {
        const { listedModels } = await import('./model/foundConnection.ts');
        return listedModels(await readOnly(), await book(storedKey), name);
      },
      refresh: async (name, lower) => {
        const { refreshModels } = await import('./model/refreshModels.ts');
        return refreshModels(await readOnly(), await book(), name, lower);
      },
      terms: async (name) => {
        const { listConnections, knownTerms } = await listed();
        const { connections } = await listConnections(await readOnly());
        const found = connections.find(({ connection }) => connection.name === name);
        return found === undefined ? {} : knownTerms(found.connection);
      },
    },
    project: {
      found: async (state) => (await import('../open/definitions.ts')).foundProjects(await places(), state),
      templates: async () => (await import('../open/definitions.ts')).projectTemplates(await places()),
      templateBody: async (name) => (await import('../open/definitions.ts')).templateBody(await places(), name),
      definition: async (state, project) => (await import('./jobTexts.ts')).definitionText(state, project),
      memory: async (project, path) =>
        (await import('../open/projectMemory.ts')).readProjectMemory((await places()).stateDir, project, path),
    },
    taskTemplates: async () => (await import('./taskTexts.ts')).taskTemplates(await places(), clock),
    evaluate: async (as, request, watch) =>
      (await import('../eval/evaluate.ts')).evaluate(await owner(as), request, watch),
    exportRecord: async (target, jobId) => (await import('./record.ts')).exportTo(await readOnly(), target, jobId),
    api: {
      serve: async (serving) =>
        (await import('../serve/serve.ts')).serveTasks(await places(), { ...serving, version, clock }),
      token: async () => (await import('../serve/serve.ts')).apiToken(await places()),
    },
  };
}

function jobsOf(
  readOnly: () => Promise<ReadOnlyWorkspace>,
  owner: (as: OwnerSettings) => Promise<OwnerOptions>,
): Workspace['job'] {
  return {
    checkFirst: async (input) => {
      const { checkFirstBrief } = await import('./filing.ts');
      const seen = await readOnly();
      return checkFirstBrief(seen, await credentialsOf(seen.clock, seen), input);
    },
    rehearse: async (as, input, signal) =>
      (await import('../demo/rehearsal.ts')).dryRun(await owner(as), input, signal),
    preview: async (jobId) => (await import('../open/readOnlyWorkspace.ts')).previewJob(await readOnly(), jobId),
    diff: async (jobId) => (await import('../open/readOnlyWorkspace.ts')).jobDiff(await readOnly(), jobId),
    changedPaths: async (...of) => (await import('./jobTexts.ts')).changedPaths(await readOnly(), ...of),
    textAt: async (...of) => (await import('./jobTexts.ts')).textAt(await readOnly(), ...of),
    kept: async () => (await import('./attempts.ts')).keptList(await readOnly()),
    restore: async (attempt, as) => (await import('./attempts.ts')).restoreAttempt(await readOnly(), attempt, as),
    cleanUp: async (maxBytes) =>
      (await import('../owner/clones.ts')).previewCleanUp(await readOnly(), maxBytes ?? undefined),
  };
}

async function readOnlyOf(
  { clock, wasmFile, envOutside }: Surface,
  { folder, jobsDir }: Place,
): Promise<ReadOnlyWorkspace> {
  const places = await findWorkspacePaths(folder, jobsDir);
  return { places, clock, wasmFile, env: envOutside([places.projectDir]) };
}

async function ownerOptions(
  surface: Surface,
  { places, env }: ReadOnlyWorkspace,
  as: OwnerSettings,
): Promise<OwnerOptions> {
  const { envOutside: _, providers, ...own } = surface;
  const { clock } = own;
  const { work, account, delayMs = null, ...limits } = as;
  return {
    ...own,
    ...limits,
    delayMs,
    places,
    env,
    credentials: await credentialsOf(clock, { places, env }, account),
    providers: (await providers?.()) ?? {},
    work: work !== 'nothing',
    resumes: work === 'all',
  };
}

/** The editor's account, or else that of the environment, and the user's connections. */
async function credentialsOf(
  clock: Clock,
  { places: { configDir }, env }: Pick<ReadOnlyWorkspace, 'places' | 'env'>,
  account?: Account,
): Promise<Credentials> {
  const [{ environmentsAccount }, { openConnections }, { proxiedFetch }] = await Promise.all([
    import('../open/model/environment.ts'),
    import('../open/model/connections.ts'),
    import('../../adapters/gateway/wire/envProxy.ts'),
  ]);
  // The editor's `fetch` follows the editor's own settings.
  const proxy = account === undefined ? proxiedFetch(env) : null;
  const { storedKey } = account ?? {};
  const connections = openConnections({
    configDir,
    env,
    clock,
    proxy,
    ...(storedKey === undefined ? {} : { storedKey }),
  });
  return { ...(account ?? environmentsAccount(env)), proxy, connections };
}

async function sandboxState(clock: Clock): Promise<SandboxState> {
  const { createCommandRunner } = await import('../../adapters/shell/commandRunner.ts');
  const runner = createCommandRunner({ clock });
  try {
    return await runner.sandbox();
  } finally {
    await runner.close();
  }
}
