/** The folders of task templates: the workspace's and the user's. */
import { join } from 'node:path';
import { nodeFiles } from '../../adapters/files/files.ts';
import { templateFiles } from '../../adapters/files/templateFiles.ts';
import { makeFile, replaceFile } from '../../engine/state/filePorts.ts';
import { ownFiles } from '../../engine/state/ownFiles.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { TemplateFolder, TemplateKeep } from '../../engine/task/text/templatePorts.ts';
import { TASK_LIMITS } from '../../shared/task/tasks.ts';
import { assetPath } from '../assets/assetPath.ts';
import { shippedIn } from './stateFiles.ts';

const ENDING = '.yaml';
const KIND = { ending: ENDING, maxBytes: TASK_LIMITS.definitionBytes };

type Folders = Pick<WorkspacePaths, 'stateDir' | 'configDir'>;

/** Templates that can be shared with the folder. */
export const taskTemplatesDir = ({ stateDir }: Pick<WorkspacePaths, 'stateDir'>): string =>
  join(stateDir, 'templates', 'tasks');

/** `problem` receives the templates that are tracked by the repository: they are not used. */
export function taskTemplateFolders(places: Folders, problem?: (text: string) => void): readonly TemplateFolder[] {
  const user = join(places.configDir, 'templates', 'tasks');
  return [
    {
      origin: 'workspace',
      ...templateFiles(taskTemplatesDir(places), ownFiles(shippedIn(places.stateDir, problem), nodeFiles), KIND),
    },
    { origin: 'user', ...templateFiles(user, nodeFiles, KIND) },
    builtInTaskTemplates(),
  ];
}

export function builtInTaskTemplates(): TemplateFolder {
  return { origin: 'built-in', ...templateFiles(assetPath('templates', 'task'), nodeFiles, KIND) };
}

/** Stores new templates in the workspace. `ops`: the owner's file operations, which fail once it is superseded. */
export function taskTemplateKeep(places: Pick<WorkspacePaths, 'stateDir'>, ops: FileOps): TemplateKeep {
  const folder = taskTemplatesDir(places);
  const own = ownFiles(shippedIn(places.stateDir), ops);
  return {
    keep: async (name, text, replace) => {
      const path = join(folder, name + ENDING);
      const data = new TextEncoder().encode(text);
      await ops.makeDir(folder);
      if (replace) await replaceFile(own, path, data);
      else if ((await ops.stat(path)) !== null) return null;
      else await makeFile(ops, path, data);
      return path;
    },
  };
}
