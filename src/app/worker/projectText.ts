/** Collects the text of a project for the sessions of its jobs: the body of its PROJECT.md, its memory and skills. */
import { skillFiles } from '../../adapters/files/skillFiles.ts';
import { withKnowledge } from '../../engine/project/memory/knowledge.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import { messageOf } from '../../shared/errors.ts';
import type { State } from '../../shared/workspace/state.ts';
import { projectMemory, skillFolders } from '../open/memories.ts';
import { shippedIn } from '../open/stateFiles.ts';

/** Unreadable knowledge is reported and left out: the job continues without it. */
export function projectTexts(
  { stateDir, configDir }: Pick<WorkspacePaths, 'stateDir' | 'configDir'>,
  state: State,
  problem: (text: string) => void,
): (projectId: string) => Promise<string> {
  const shipped = shippedIn(stateDir, problem);
  return async (projectId) => {
    const body = state.projects.get(projectId)?.body.trim() ?? '';
    const skills = skillFiles(skillFolders(stateDir, configDir, projectId), shipped);
    try {
      return await withKnowledge(body, projectMemory(stateDir, projectId, undefined, shipped), skills);
    } catch (thrown) {
      problem(`what project ${projectId} knows cannot be read: ${messageOf(thrown)}`);
      return body;
    }
  };
}
