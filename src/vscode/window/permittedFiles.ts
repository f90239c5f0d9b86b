/** A job's files as this window may read them. */
import type { Workspace } from '../../engine/workspace/workspace.ts';
import type { State } from '../../shared/workspace/state.ts';

/** A text of the job's repository at a commit, for the editor's diffs. */
export interface JobFiles {
  /** Paths that differ between two commits of a job. */
  changedPaths(jobId: string, from: string, to: string): Promise<readonly string[]>;
  /** Returns null if the file is missing, or too large to show. */
  textAt(jobId: string, commit: string, path: string): Promise<string | null>;
  artifact(name: string): Promise<string | null>;
  /** A session's transcript as readable Markdown. */
  transcript(sessionId: number): Promise<string>;
  /** A project's PROJECT.md as approved, independent of the file on disk. */
  definition(project: string): Promise<string>;
  preview(jobId: string | null): Promise<{ readonly describes: string; readonly body: string }>;
}

/** A state names the folders that git is started in: `permit` throws for one that is only looked at, before git is. */
export function permittedFiles(workspace: () => Promise<Workspace>, state: () => State, permit: () => void): JobFiles {
  const withGit = async (): Promise<Workspace['job']> => {
    permit();
    return (await workspace()).job;
  };
  return {
    changedPaths: async (...of) => (await withGit()).changedPaths(state(), ...of),
    textAt: async (...of) => (await withGit()).textAt(state(), ...of),
    artifact: async (name) => (await workspace()).session.artifact(name),
    transcript: async (sessionId) => (await workspace()).session.transcript(sessionId),
    definition: async (project) => (await workspace()).project.definition(state(), project),
    preview: async (jobId) => (await withGit()).preview(jobId),
  };
}
