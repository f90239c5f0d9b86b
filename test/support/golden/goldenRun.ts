/** A life of a workspace with every type of event once at least, through the real store: what the golden logs are made of. */
import type { Store } from '../../../src/engine/state/store.ts';
import { BEFORE, JOB } from './job.ts';
import { JOBS, PROJECTS } from './others.ts';
import { TASKS } from './tasks.ts';

/** Into a store that was just opened. */
export async function goldenRun(store: Store): Promise<void> {
  for (const draft of [...BEFORE, ...JOB, ...JOBS, ...PROJECTS, ...TASKS]) await store.commit(draft);
}
