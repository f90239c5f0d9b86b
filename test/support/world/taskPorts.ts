/** The wishes about tasks without files: there are the built-in templates alone. */
import { systemClock } from '../../../src/adapters/clock.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { TaskWishPorts } from '../../../src/engine/task/ask/wishPorts.ts';
import { madeDefinition } from '../../../src/engine/task/text/templates.ts';

export function taskPorts(store: Store): TaskWishPorts {
  return {
    store,
    clock: systemClock(),
    made: (input) => madeDefinition([], input, systemClock().now()),
    keepTemplate: async () => {
      throw new Error('no template is kept here');
    },
    ready: async () => undefined,
    problemsOf: () => [],
  };
}
