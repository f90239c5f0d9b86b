/** Reads a workspace without owning it: its state, the next request, a job's diff. */
import { createGit } from '../../adapters/git/gitPort.ts';
import { need } from '../../core/state/rows.ts';
import { previewNext } from '../../engine/job/result/preview.ts';
import type { Preview } from '../../engine/job/result/previewRequest.ts';
import { jobHead, jobTree } from '../../engine/job/tree/tree.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import type { State } from '../../shared/workspace/state.ts';
import { projectTexts } from '../worker/projectText.ts';
import { lookAtState } from './store.ts';
import { transcriptEntries } from './transcripts.ts';

export interface ReadOnlyWorkspace {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
  readonly wasmFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const MAX_DIFF_BYTES = 16 * 1024 * 1024;

/** For callers that use folders named by the state, git's among them: a state that came with a repository could name any folder. */
export async function lookAtOwnState(readOnly: ReadOnlyWorkspace): Promise<State> {
  const store = await lookAtState(readOnly);
  await store.close();
  if (store.origin === 'foreign')
    throw failure('STATE_FOREIGN', 'the state in .autonomous was not written by this installation', {
      hint: 'Its content is shown, but no folder that it names is read, and no data from it reaches the repository.',
    });
  return store.state;
}

/** `jobId`: null for the selected job. */
export async function previewJob(readOnly: ReadOnlyWorkspace, jobId: string | null): Promise<Preview> {
  const state = await lookAtOwnState(readOnly);
  const id = jobId ?? state.meta.current_job;
  if (id === null) throw failure('NOT_FOUND', 'there is no job yet', { hint: 'File a brief with `autonomous plan`.' });
  return previewNext(
    {
      state,
      clock: readOnly.clock,
      git: createGit({ clock: readOnly.clock, env: readOnly.env }),
      projectDir: readOnly.places.projectDir,
      transcript: (session) => transcriptEntries(readOnly.places, session),
      projectBody: projectTexts(readOnly.places, state, () => undefined),
      evalResults: async () => (await import('../eval/recordedResults.ts')).recordedResults(readOnly, () => undefined),
    },
    id,
  );
}

export async function jobDiff(readOnly: ReadOnlyWorkspace, jobId: string): Promise<string> {
  const job = need(await lookAtOwnState(readOnly), 'jobs', jobId);
  const git = createGit({ clock: readOnly.clock, env: readOnly.env });
  return git.diff(jobTree(readOnly.places.projectDir, job), job.baseline ?? jobHead(job), jobHead(job), MAX_DIFF_BYTES);
}
