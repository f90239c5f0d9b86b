/** A job's texts for the editor's diffs and documents. */
import { openArtifacts } from '../adapters/artifacts.ts';
import { nodeFiles } from '../adapters/files.ts';
import { createGit } from '../adapters/git/gitPort.ts';
import { need } from '../core/rows.ts';
import { jobTree } from '../engine/tree.ts';
import type { JobFiles } from '../host/engine/backend.ts';
import { writtenOf } from '../projects/editedDefinition.ts';
import type { State } from '../shared/state.ts';
import { previewJob, type Viewer } from './readOnly.ts';
import { transcriptText } from './transcriptText.ts';

const MAX_TEXT_BYTES = 8 * 1024 * 1024;

export function jobFiles(viewer: Viewer, state: () => State): JobFiles {
  const { places, clock, env } = viewer;
  const git = createGit({ clock, env });
  const tree = (jobId: string) => jobTree(places.projectDir, need(state(), 'jobs', jobId));
  return {
    changedPaths: async (jobId, from, to) => git.changedPaths(tree(jobId), from, to),
    textAt: async (jobId, commit, path) => git.textAt(tree(jobId), commit, path, MAX_TEXT_BYTES),
    artifact: async (name) => openArtifacts(places.stateDir, nodeFiles).get(name),
    transcript: async (sessionId) => transcriptText(places, sessionId),
    definition: async (project) => writtenOf(need(state(), 'projects', project)).text,
    preview: async (jobId) => previewJob(viewer, jobId),
  };
}
