/** A life of a workspace with every type of event once at least, through the real store: what the golden logs are made of. */
import type { Store } from '../../src/engine/store.ts';
import { BEFORE, JOB } from './golden/job.ts';
import { JOBS, PROJECTS } from './golden/others.ts';
import { TASKS } from './golden/tasks.ts';

/** Into a store that was just opened. */
export async function goldenRun(store: Store): Promise<void> {
  for (const draft of [...BEFORE, ...JOB, ...JOBS, ...PROJECTS, ...TASKS]) await store.commit(draft);
}
