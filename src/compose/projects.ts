/** What the owner grants wishes about projects with. */
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { GitPort } from '../engine/ports.ts';
import type { Store } from '../engine/store.ts';
import { checkProjectName } from '../projects/names.ts';
import type { ProjectWishPorts } from '../projects/wishes.ts';
import { failure } from '../shared/errors.ts';
import type { ProjectDefinition } from '../shared/projects.ts';

export function projectWishPorts(store: Store, git: GitPort, defaults: ProjectDefinition): ProjectWishPorts {
  return {
    store,
    defaults,
    checkName: checkProjectName,
    bodyOf: async ({ body, goal = '', background = '', constraints = '' }) => {
      if (body !== undefined) return body;
      const parts = { Goal: goal, Background: background, Constraints: constraints };
      return Object.entries(parts)
        .filter(([, text]) => text.trim() !== '')
        .map(([title, text]) => `## ${title}\n\n${text.trim()}`)
        .join('\n\n');
    },
    checkWorkdir: async (path) => {
      if (!isAbsolute(path))
        throw failure('INVALID_INPUT', 'the workdir is not an absolute path', { details: { path } });
      const { root } = await git.inspect(await realpath(path));
      return root;
    },
    foundDefinition: async (name): Promise<ProjectDefinition> => {
      throw failure('NOT_FOUND', `there is no PROJECT.md of ${name}`);
    },
  };
}
