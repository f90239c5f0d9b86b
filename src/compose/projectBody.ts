/** The body of a project's PROJECT.md: what stands after the frontmatter. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../adapters/files.ts';

const FRONTMATTER = /^---\r?\n[\s\S]*?\r?\n---\r?\n/;

/** Empty when the project has none. */
export async function projectBody(stateDir: string, projectId: string): Promise<string> {
  try {
    const text = await readFile(join(stateDir, 'projects', projectId, 'PROJECT.md'), 'utf8');
    return text.replace(FRONTMATTER, '').trim();
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return '';
    throw thrown;
  }
}
