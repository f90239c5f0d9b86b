/** A job's files as this window may read them. */
import type { JobFiles } from './backend.ts';

/** A state names the folders that git is started in: `permit` throws for one that is only looked at, before git is. */
export function permittedFiles(open: () => Promise<JobFiles>, permit: () => void): JobFiles {
  const withGit = async (): Promise<JobFiles> => {
    permit();
    return open();
  };
  return {
    changedPaths: async (...of) => (await withGit()).changedPaths(...of),
    textAt: async (...of) => (await withGit()).textAt(...of),
    artifact: async (name) => (await open()).artifact(name),
    transcript: async (sessionId) => (await open()).transcript(sessionId),
    definition: async (project) => (await open()).definition(project),
    preview: async (jobId) => (await withGit()).preview(jobId),
  };
}
