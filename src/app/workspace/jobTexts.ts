/** Reads texts of a job's commits, and of a project's definition, for the editor's diffs and documents. */
import { createGit } from '../../adapters/git/gitPort.ts';
import { need } from '../../core/state/rows.ts';
import { jobTree } from '../../engine/job/tree/tree.ts';
import { writtenOf } from '../../engine/project/definition/editedDefinition.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';

const MAX_TEXT_BYTES = 8 * 1024 * 1024;

const gitOf = ({ clock, env }: ReadOnlyWorkspace) => createGit({ clock, env });
const treeOf = ({ places }: ReadOnlyWorkspace, state: State, jobId: string) =>
  jobTree(places.projectDir, need(state, 'jobs', jobId));

/** Paths that differ between two commits of a job. */
export async function changedPaths(
  readOnly: ReadOnlyWorkspace,
  state: State,
  jobId: string,
  from: string,
  to: string,
): Promise<readonly string[]> {
  return gitOf(readOnly).changedPaths(treeOf(readOnly, state, jobId), from, to);
}

/** Null if the file does not exist, or is too large to show. */
export async function textAt(
  readOnly: ReadOnlyWorkspace,
  state: State,
  jobId: string,
  commit: string,
  path: string,
): Promise<string | null> {
  return gitOf(readOnly).textAt(treeOf(readOnly, state, jobId), commit, path, MAX_TEXT_BYTES);
}

/** The PROJECT.md that was decided, whatever the file on the disk contains. */
export function definitionText(state: State, project: string): string {
  return writtenOf(need(state, 'projects', project)).text;
}
