/** Opens the folders of the memories. */
import { join } from 'node:path';
import { nodeFiles } from '../../adapters/files/files.ts';
import { memoryFiles } from '../../adapters/files/memoryFiles.ts';
import type { MemoryFiles } from '../../engine/project/talk/conversationPorts.ts';
import { ownFiles, type Shipped } from '../../engine/state/ownFiles.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';
import { MAIN_PROJECT } from '../../shared/project/projects.ts';
import { shippedIn } from './stateFiles.ts';

/** The main agent's memory is outside the projects' folders. A writer passes the files of its epoch. */
export function projectMemory(
  stateDir: string,
  projectId: string,
  ops: FileOps = nodeFiles,
  shipped: Shipped = shippedIn(stateDir),
): MemoryFiles {
  const folder =
    projectId === MAIN_PROJECT ? join(stateDir, 'memory') : join(stateDir, 'projects', projectId, 'memory');
  return memoryFiles(folder, ownFiles(shipped, ops));
}

/** Folders of a project's skills, the nearest first: the project's, the workspace's, the user's. */
export function skillFolders(stateDir: string, configDir: string, projectId: string): readonly string[] {
  const own = projectId === MAIN_PROJECT ? [] : [join(stateDir, 'projects', projectId, 'skills')];
  return [...own, join(stateDir, 'skills'), join(configDir, 'skills')];
}
