/**
 * The engine for the editor: what `host/engine/backend.ts` asks for. Looking is what each window begins with, so only that is
 * loaded with this file; the rest comes with its first use.
 */
import { mkdir } from 'node:fs/promises';
import { withEditorsRipgrep } from '../adapters/shell/executables.ts';
import { environmentOutside } from '../adapters/shell/searchPath.ts';
import { problemText } from '../core/problemText.ts';
import type { Backend, OwnerSettings, Place } from '../host/engine/backend.ts';
import type { Clock } from '../shared/clock.ts';
import { asFailure } from '../shared/errors.ts';
import type { StepActions } from '../shared/taskWork.ts';
import { lookAtBoard } from './boardState.ts';
import type { InjectedProviders } from './models.ts';
import type { OwnerOptions } from './ownerOptions.ts';
import { findPlaces } from './places.ts';
import { isOwned } from './presence.ts';
import type { Viewer } from './readOnly.ts';

export interface EditorWorld {
  readonly clock: Clock;
  readonly version: string;
  readonly workerScript: URL;
  readonly wasmFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the editor's own files. */
  readonly appRoot: string;
  /** Of other extensions, in this process. */
  readonly stepActions: StepActions;
  /** Besides Anthropic and the simulated model; loaded with the first owner. */
  readonly providers: () => Promise<InjectedProviders>;
}

export function editorEngine({ appRoot, ...given }: EditorWorld): Backend {
  const world = { ...given, env: withEditorsRipgrep(given.env, appRoot) };
  const viewer = async ({ folder, jobsDir }: Place): Promise<Viewer> => {
    const places = await findPlaces(folder, jobsDir);
    return { ...world, places, env: environmentOutside(world.env, [places.projectDir]) };
  };
  return {
    look: async (place) => {
      const seen = await viewer(place);
      const store = await lookAtBoard(seen);
      return {
        projectDir: seen.places.projectDir,
        origin: store.origin,
        state: store.state,
        problems: store.problems.map(problemText),
        ownerAlive: await isOwned(seen),
        lostTail: store.lostTail,
      };
    },
    open: async (settings) => {
      const { openEngine } = await import('./engine.ts');
      return openEngine(await ownerOptions(world, settings));
    },
    files: async (place, state) => {
      const { jobFiles } = await import('./editorFiles.ts');
      return jobFiles(await viewer(place), state);
    },
    keptAttempts: async (place) => {
      const { keptList } = await import('./attempts.ts');
      return keptList(await viewer(place));
    },
    restoreAttempt: async (place, attempt, as) => {
      const { restoreAttempt } = await import('./attempts.ts');
      return restoreAttempt(await viewer(place), attempt, as);
    },
    previewCleanUp: async (place, maxBytes) => {
      const { previewCleanUp } = await import('./clones.ts');
      return previewCleanUp(await viewer(place), maxBytes);
    },
    exportRecord: async (place, target, jobId) => {
      const { exportRecord } = await import('./exportRecord.ts');
      return exportRecord(await viewer(place), target, jobId);
    },
    jobDiff: async (place, jobId) => {
      const { jobDiff } = await import('./readOnly.ts');
      return jobDiff(await viewer(place), jobId);
    },
    dryRun: async (settings, input, signal) => {
      const { dryRun } = await import('./dryRun.ts');
      return dryRun(await ownerOptions(world, settings), input, signal);
    },
    diagnose: async ({ place, key, baseUrl }, { source, short, provider, models }) => {
      const { diagnoseAll } = await import('./doctor.ts');
      const injected = provider === 'vscode-lm' ? await world.providers() : {};
      const filed = { provider, models, credentials: { key, baseUrl }, injected };
      return diagnoseAll(await viewer(place), { source, short }, filed);
    },
    agents: async ({ place, confine }) => {
      const { lookAtAgents } = await import('./agentLook.ts');
      return lookAtAgents(await viewer(place), { ...world, confine });
    },
    nameFault: async (name) => {
      const { checkProjectName } = await import('../projects/names.ts');
      try {
        checkProjectName(name);
        return null;
      } catch (thrown) {
        const { message, hint } = asFailure(thrown);
        return `${message}. ${hint}`;
      }
    },
    templates: async ({ folder, jobsDir }) => {
      const { projectTemplates } = await import('./definitions.ts');
      return projectTemplates(await findPlaces(folder, jobsDir));
    },
    templateBody: async ({ folder, jobsDir }, name) => {
      const { templateBody } = await import('./definitions.ts');
      return templateBody(await findPlaces(folder, jobsDir), name);
    },
    taskTexts: async () => {
      const { editorTaskTexts } = await import('./editorTasks.ts');
      return editorTaskTexts(world.clock);
    },
    callTool: async ({ state, wish }, name, input) => {
      const { callMainTool } = await import('../projects/mainTools.ts');
      return callMainTool({ state, wish, clock: world.clock, readMemory: null }, name, input);
    },
    serveApi: async ({ folder, jobsDir }, serving) => {
      const { serveTasks } = await import('./serve.ts');
      return serveTasks(await findPlaces(folder, jobsDir), { ...world, ...serving, origins: [], keeps: false });
    },
    apiToken: async ({ folder, jobsDir }) => {
      const { apiToken } = await import('./serve.ts');
      return (await apiToken(await findPlaces(folder, jobsDir))).token;
    },
    notifyOs: async (projectDir, notice) => {
      const { notifyOs } = await import('../adapters/shell/osNotification.ts');
      await notifyOs(notice, world.env, projectDir === null ? [] : [projectDir]);
    },
    makeSample: async (folder) => {
      const { makeRepository } = await import('./demo.ts');
      await mkdir(folder, { recursive: true });
      await makeRepository(folder);
    },
    demoBrief: async (folder) => (await import('./demoFolder.ts')).demoBriefFor(folder),
  };
}

async function ownerOptions(world: Omit<EditorWorld, 'appRoot'>, settings: OwnerSettings): Promise<OwnerOptions> {
  const { place, key, baseUrl, ...rest } = settings;
  const places = await findPlaces(place.folder, place.jobsDir);
  return {
    ...world,
    ...rest,
    env: environmentOutside(world.env, [places.projectDir]),
    providers: await world.providers(),
    places,
    credentials: { key, baseUrl },
    work: true,
  };
}
