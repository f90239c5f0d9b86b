/** Where templates of tasks lie: the workspace's and the user's. */
import { join } from 'node:path';
import { nodeFiles } from '../adapters/files.ts';
import { templateFiles } from '../adapters/templateFiles.ts';
import { makeFile, replaceFile } from '../engine/filePorts.ts';
import type { FileOps } from '../engine/ports.ts';
import { TASK_LIMITS } from '../shared/tasks.ts';
import type { TemplateFolder, TemplateKeep } from '../tasks/templatePorts.ts';
import type { Places } from './places.ts';

const ENDING = '.yaml';
const KIND = { ending: ENDING, maxBytes: TASK_LIMITS.definitionBytes };

type Folders = Pick<Places, 'stateDir' | 'configDir'>;

/** Those that can be shared with the folder. */
export const taskTemplatesDir = ({ stateDir }: Pick<Places, 'stateDir'>): string =>
  join(stateDir, 'templates', 'tasks');

export function taskTemplateFolders(places: Folders): readonly TemplateFolder[] {
  const user = join(places.configDir, 'templates', 'tasks');
  return [
    { origin: 'workspace', ...templateFiles(taskTemplatesDir(places), nodeFiles, KIND) },
    { origin: 'user', ...templateFiles(user, nodeFiles, KIND) },
  ];
}

/** Keeps new ones in the workspace. `ops`: the owner's, which does nothing once it is superseded. */
export function taskTemplateKeep(places: Pick<Places, 'stateDir'>, ops: FileOps): TemplateKeep {
  const folder = taskTemplatesDir(places);
  return {
    keep: async (name, text, replace) => {
      const path = join(folder, name + ENDING);
      const data = new TextEncoder().encode(text);
      await ops.makeDir(folder);
      if (replace) await replaceFile(ops, path, data);
      else if ((await ops.stat(path)) !== null) return null;
      else await makeFile(ops, path, data);
      return path;
    },
  };
}
