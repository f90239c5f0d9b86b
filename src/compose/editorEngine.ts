/** The engine for the editor: what `host/engine/backend.ts` asks for. Loaded at first use, since all of the engine hangs on it. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArtifacts } from '../adapters/artifacts.ts';
import { nodeFiles } from '../adapters/files.ts';
import { createGit } from '../adapters/git/gitPort.ts';
import { demoAllowedCommands, demoBrief, demoSampleFiles } from '../adapters/simulated/scenarios/demo/sample.ts';
import { problemText } from '../core/problemText.ts';
import { need } from '../core/rows.ts';
import { jobTree } from '../engine/tree.ts';
import type { JobFiles } from '../host/context.ts';
import type { Backend, OwnerSettings, Place } from '../host/engine/backend.ts';
import type { Clock } from '../shared/clock.ts';
import type { State } from '../shared/state.ts';
import { makeRepository } from './demo.ts';
import { diagnoseAll } from './doctor.ts';
import { dryRun } from './dryRun.ts';
import { openEngine } from './engine.ts';
import type { InjectedProviders } from './models.ts';
import type { OwnerOptions } from './owner.ts';
import { findPlaces } from './places.ts';
import { isOwned } from './presence.ts';
import { jobDiff, previewJob, type Viewer } from './readOnly.ts';
import { lookAtState } from './storage.ts';
import { transcriptText } from './transcriptText.ts';

const MAX_TEXT_BYTES = 8 * 1024 * 1024;

export interface EditorWorld {
  readonly clock: Clock;
  readonly version: string;
  readonly workerScript: URL;
  readonly wasmFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Besides Anthropic and the simulated model. */
  readonly providers: InjectedProviders;
}

export function editorEngine(world: EditorWorld): Backend {
  const viewer = async ({ folder, jobsDir }: Place): Promise<Viewer> => ({
    ...world,
    places: await findPlaces(folder, jobsDir),
  });
  return {
    look: async (place) => {
      const seen = await viewer(place);
      const store = await lookAtState(seen);
      await store.close();
      return {
        projectDir: seen.places.projectDir,
        origin: store.origin,
        state: store.state,
        problems: store.problems.map(problemText),
        ownerAlive: await isOwned(seen),
      };
    },
    open: async (settings) => openEngine(await ownerOptions(world, settings)),
    files: (place, state) => jobFiles(world, () => viewer(place), state),
    jobDiff: async (place, jobId) => jobDiff(await viewer(place), jobId),
    dryRun: async (settings, input, signal) => dryRun(await ownerOptions(world, settings), input, signal),
    diagnose: async (place) => diagnoseAll(await viewer(place)),
    makeSample: async (folder) => {
      await mkdir(folder, { recursive: true });
      await makeRepository(folder);
    },
    demoBrief: async (folder) =>
      (await isSample(folder))
        ? {
            brief: demoBrief,
            provider: 'simulated',
            scenario: 'demo',
            allowedCommands: demoAllowedCommands.map((argv) => [...argv]),
          }
        : null,
  };
}

async function ownerOptions(world: EditorWorld, settings: OwnerSettings): Promise<OwnerOptions> {
  const { place, key, baseUrl, ...rest } = settings;
  return {
    ...world,
    ...rest,
    places: await findPlaces(place.folder, place.jobsDir),
    credentials: { key, baseUrl },
    work: true,
  };
}

async function isSample(folder: string): Promise<boolean> {
  const expected = JSON.parse(demoSampleFiles['package.json'] ?? '{}') as { readonly description?: string };
  try {
    const found = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as typeof expected;
    return found.description === expected.description;
  } catch (thrown) {
    // No such file, or not the JSON that the sample has.
    if (thrown instanceof SyntaxError || (thrown instanceof Error && 'code' in thrown)) return false;
    throw thrown;
  }
}

function jobFiles(world: EditorWorld, viewer: () => Promise<Viewer>, state: () => State): JobFiles {
  const git = createGit({ clock: world.clock, env: world.env });
  const tree = async (jobId: string) => jobTree((await viewer()).places.projectDir, need(state(), 'jobs', jobId));
  return {
    changedPaths: async (jobId, from, to) => git.changedPaths(await tree(jobId), from, to),
    textAt: async (jobId, commit, path) => git.textAt(await tree(jobId), commit, path, MAX_TEXT_BYTES),
    artifact: async (name) => openArtifacts((await viewer()).places.stateDir, nodeFiles).get(name),
    transcript: async (sessionId) => transcriptText((await viewer()).places, sessionId),
    preview: async (jobId) => previewJob(await viewer(), jobId),
  };
}
