/** Manages the clones of tasks on the real disk. */
import { readdir } from 'node:fs/promises';
import { rm } from '../../adapters/platform/heldFiles.ts';
import { homeName } from '../../adapters/shell/sandbox/privateFolders.ts';
import type { Store } from '../../engine/state/store.ts';
import { keepTaskClones, type TaskClones } from '../../engine/task/step/taskClones.ts';

export function openTaskClones(store: Store, jobsDir: string, problem: (text: string) => void): TaskClones {
  return keepTaskClones({
    store,
    jobsDir,
    list: (folder) => readdir(folder).catch(() => []),
    remove: (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    homeName: (clone) => homeName(clone, 'agent'),
    problem,
  });
}
