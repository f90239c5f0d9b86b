/** Reads a project's memory for people and the main agent; nothing is written here. */
import { memoryIndex, memoryPath } from '../../engine/project/memory/memory.ts';
import { failure } from '../../shared/errors.ts';
import { projectMemory } from './memories.ts';

/**
 * Without a path, the files with their first lines; otherwise the content of the file. Throws NOT_FOUND, or
 * INVALID_INPUT for a path that leads out.
 */
export async function readProjectMemory(stateDir: string, project: string, path: string | null): Promise<string> {
  const files = projectMemory(stateDir, project);
  if (path === null) return memoryIndex(files);
  const inside = memoryPath(path.startsWith('/') ? path : `/memories/${path}`);
  const text = inside === '' ? await memoryIndex(files) : await files.read(inside);
  if (text === null) throw failure('NOT_FOUND', `the memory of ${project} has no file ${path}`);
  return text;
}
