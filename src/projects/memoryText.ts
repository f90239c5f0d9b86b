/** A project's memory as others than itself read it: its files, or what one says. */
import { failure } from '../shared/errors.ts';
import type { MemoryFiles } from './conversationPorts.ts';
import { memoryPath } from './memory.ts';

const MAX_DEPTH = 6;

/** `path` null: one file a line, e.g. `facts/api.md`. Throws NOT_FOUND, and INVALID_INPUT for a path that leads out. */
export async function memoryText(files: MemoryFiles, path: string | null): Promise<string> {
  if (path === null) return (await filesBelow(files, '', MAX_DEPTH)).join('\n') || 'nothing yet';
  const text = await files.read(memoryPath(`/memories/${path.replace(/^\/(memories\/)?/, '')}`));
  if (text === null) throw failure('NOT_FOUND', `there is no file ${JSON.stringify(path)} in that memory`);
  return text;
}

async function filesBelow(files: MemoryFiles, inside: string, levels: number): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await files.list(inside)) {
    const path = inside === '' ? name : `${inside}/${name}`;
    if (kind === 'file') found.push(path);
    else if (levels > 1) found.push(...(await filesBelow(files, path, levels - 1)));
  }
  return found;
}
