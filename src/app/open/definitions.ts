/** Reads PROJECT.md and the templates of projects from the disk. */
import { join } from 'node:path';
import { nodeFiles } from '../../adapters/files/files.ts';
import { openProjectFiles } from '../../adapters/files/projectFiles.ts';
import { templateFiles } from '../../adapters/files/templateFiles.ts';
import { MAX_DEFINITION_BYTES } from '../../engine/project/definition/definition.ts';
import type { ProjectFiles } from '../../engine/project/definition/definitionPorts.ts';
import { type FoundProject, findProjects } from '../../engine/project/definition/foundProjects.ts';
import type { TemplateFiles } from '../../engine/project/definition/templatePorts.ts';
import { templateNames, templateText } from '../../engine/project/definition/templates.ts';
import { ownFiles } from '../../engine/state/ownFiles.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { State } from '../../shared/workspace/state.ts';
import { assetPath } from '../assets/assetPath.ts';
import { shippedIn } from './stateFiles.ts';

export const filesIn = (places: WorkspacePaths, ops: FileOps = nodeFiles): ProjectFiles =>
  openProjectFiles({ projectsDir: join(places.stateDir, 'projects'), ops, maxBytes: MAX_DEFINITION_BYTES });

const TEMPLATE = { ending: '.md', maxBytes: MAX_DEFINITION_BYTES };

export function templatesIn(
  { stateDir, configDir }: WorkspacePaths,
  problem?: (text: string) => void,
): readonly TemplateFiles[] {
  return [
    {
      origin: 'workspace',
      ...templateFiles(join(stateDir, 'templates'), ownFiles(shippedIn(stateDir, problem), nodeFiles), TEMPLATE),
    },
    { origin: 'user', ...templateFiles(join(configDir, 'templates'), nodeFiles, TEMPLATE) },
    builtInProjectTemplates(),
  ];
}

export function builtInProjectTemplates(): TemplateFiles {
  return { origin: 'built-in', ...templateFiles(assetPath('templates', 'project'), nodeFiles, TEMPLATE) };
}

/** Folders of projects that no event of this workspace created. Needs no owner. */
export function foundProjects(
  places: WorkspacePaths,
  state: Pick<State, 'projects'>,
): Promise<readonly FoundProject[]> {
  return findProjects(filesIn(places), state);
}

/** The text of a template for a new project. Throws NOT_FOUND or INVALID_INPUT. Needs no owner. */
export async function templateBody(places: WorkspacePaths, name: string): Promise<string> {
  return templateText(templatesIn(places), name);
}

/** All templates for a new project. Needs no owner. */
export function projectTemplates(places: WorkspacePaths): Promise<readonly string[]> {
  return templateNames(templatesIn(places));
}
