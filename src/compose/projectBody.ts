/** The body of a project's PROJECT.md: what stands after the frontmatter. */
import { join } from 'node:path';
import { nodeFiles } from '../adapters/files.ts';

const FRONTMATTER = /^---\r?\n[\s\S]*?\r?\n---\r?\n/;

/** Empty when the project has none. */
export async function projectBody(stateDir: string, projectId: string): Promise<string> {
  const bytes = await nodeFiles.read(join(stateDir, 'projects', projectId, 'PROJECT.md'));
  return bytes === null ? '' : Buffer.from(bytes).toString('utf8').replace(FRONTMATTER, '').trim();
}
