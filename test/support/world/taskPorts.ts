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

/** What the calls of seed 004 contain. */
export const CREATE = {
  action: 'create',
  name: 'Research Project',
  description: 'Detailed research on topic X',
  objective: 'Gather and synthesize information',
  estimatedDurationMinutes: 60,
  completionBehavior: 'NOTIFY_USER',
};
export const STEPS = [{ name: 'Step 1', action: 'llm_generate', params: { prompt: '...' }, isCheckpoint: true }];
