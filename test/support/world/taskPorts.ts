/** The requests about tasks with the built-in templates alone. */
import { systemClock } from '../../../src/adapters/clock.ts';
import { builtInTaskTemplates } from '../../../src/app/open/taskTemplates.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { TaskRequestPorts } from '../../../src/engine/task/ask/requestPorts.ts';
import { madeDefinition } from '../../../src/engine/task/text/templates.ts';

export function taskPorts(store: Store): TaskRequestPorts {
  return {
    store,
    clock: systemClock(),
    made: (input) => madeDefinition([builtInTaskTemplates()], input, systemClock().now()),
    keepTemplate: async () => {
      throw new Error('no template is kept here');
    },
    ready: async () => undefined,
    problemsOf: () => [],
  };
}
