/** Looking at a workspace without owning it: its state, the next request, a job's diff. */

import { listFiles } from '../adapters/fileListing.ts';
import { createGit } from '../adapters/git/gitPort.ts';
import { need } from '../core/rows.ts';
import { type Preview, previewNext } from '../engine/preview.ts';
import { jobHead, jobTree } from '../engine/tree.ts';
import type { Clock } from '../shared/clock.ts';
import { failure } from '../shared/errors.ts';
import type { Places } from './places.ts';
import { lookAtState } from './storage.ts';

export interface Viewer {
  readonly places: Places;
  readonly clock: Clock;
  readonly wasmFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const MAX_DIFF_BYTES = 16 * 1024 * 1024;

/** `jobId` null: the selected one. */
export async function previewJob(viewer: Viewer, jobId: string | null): Promise<Preview> {
  const store = await lookAtState(viewer);
  await store.close();
  const id = jobId ?? store.state.meta.current_job;
  if (id === null) throw failure('NOT_FOUND', 'there is no job yet', { hint: 'File a brief with `autonomous plan`.' });
  return previewNext(
    {
      state: store.state,
      clock: viewer.clock,
      git: createGit({ clock: viewer.clock, env: viewer.env }),
      projectDir: viewer.places.projectDir,
      listFiles,
      projectBody: async (project) => store.state.projects.get(project)?.body.trim() ?? '',
    },
    id,
  );
}

export async function jobDiff(viewer: Viewer, jobId: string): Promise<string> {
  const store = await lookAtState(viewer);
  await store.close();
  const job = need(store.state, 'jobs', jobId);
  const git = createGit({ clock: viewer.clock, env: viewer.env });
  return git.diff(jobTree(viewer.places.projectDir, job), job.baseline ?? jobHead(job), jobHead(job), MAX_DIFF_BYTES);
}
