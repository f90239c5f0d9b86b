/** EngineRequests about projects with the built-in templates alone: no folder is somebody else's, and every workdir is a repository. */
import { builtInAgents } from '../../../src/adapters/userData/knownAgents.ts';
import { builtInProjectTemplates } from '../../../src/app/open/definitions.ts';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import { beginDefinition } from '../../../src/engine/project/definition/templates.ts';
import { checkProjectName } from '../../../src/engine/project/names.ts';
import type { ProjectRequestPorts } from '../../../src/engine/project/requests.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { failure } from '../../../src/shared/errors.ts';

export function projectPorts(store: Store): ProjectRequestPorts {
  return {
    store,
    defaults: plainDefinition(),
    agents: async () => builtInAgents(),
    connections: () => ({}),
    ready: async () => undefined,
    conversationModel: 'claude-sonnet-5-5',
    checkName: checkProjectName,
    checkFree: async () => undefined,
    begin: (input) => beginDefinition([builtInProjectTemplates()], input),
    checkWorkdir: async (path) => path,
    foundDefinition: async (name) => {
      throw failure('NOT_FOUND', `there is no PROJECT.md of ${name}`);
    },
  };
}
