/** A project's memory as people and the main agent read it; nobody writes it here. */
import { memoryIndex, memoryPath } from '../../engine/project/memory/memory.ts';
import { failure } from '../../shared/errors.ts';
import { projectMemory } from './memories.ts';

/** Without a path the files with their first lines, else what the file says. Throws NOT_FOUND, or INVALID_INPUT for a path that leads out. */
export async function readProjectMemory(stateDir: string, project: string, path: string | null): Promise<string> {
  const files = projectMemory(stateDir, project);
  if (path === null) return memoryIndex(files);
  const inside = memoryPath(path.startsWith('/') ? path : `/memories/${path}`);
  const text = inside === '' ? await memoryIndex(files) : await files.read(inside);
  if (text === null) throw failure('NOT_FOUND', `the memory of ${project} has no file ${path}`);
  return text;
}
