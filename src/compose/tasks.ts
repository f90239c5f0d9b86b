/** Tasks in the owner: their wishes, and who leads them. */
import type { Store } from '../engine/store.ts';
import { failure } from '../shared/errors.ts';
import { taskWishes } from '../tasks/wishes.ts';

export function openTasks({ store }: { readonly store: Store }) {
  return {
    wishes: taskWishes({
      store,
      made: async ({ definition }) => {
        if (definition !== undefined) return definition;
        throw failure('INVALID_INPUT', 'the task has no definition');
      },
      problemsOf: () => [],
    }),
  };
}
