/** Which clones of tasks are removed, with the homes of their commands, and which are kept for another try. */
import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../../../src/engine/state/store.ts';
import { keepTaskClones, type TaskClones } from '../../../../../src/engine/task/step/taskClones.ts';
import type { EventDraft } from '../../../../../src/shared/workspace/events.ts';
import { addProject, openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';
import { startTask } from '../../../../support/world/stepWorld.ts';

const CLONE = '/jobs/tasks/task-1/work/clone';
const FOLDER = '/jobs/tasks/task-1';
const HOMES = [
  '/jobs/.homes/default/home/home of /jobs/tasks/task-1/work/clone',
  '/jobs/.homes/other/home/home of /jobs/tasks/task-1/work/clone',
];
const STEP_DONE = { step_id: 1, session: null, outcome: 'completed', result: null, artifact: null, bytes: 4 } as const;
const COMPLETED: EventDraft[] = [
  { type: 'task_stepped', task_id: 'task-1', ended: [STEP_DONE], skipped: [], started: [], message: null },
  { type: 'task_completed', task_id: 'task-1', summary: null, session: null, message: null },
];
const CANCELLED: EventDraft = { type: 'task_cancelled', task_id: 'task-1', reason: 'enough', by: 'steward' };
const FAILED: EventDraft = { type: 'task_failed', task_id: 'task-1', reason: 'a step failed', message: null };
const REMOVED: EventDraft = { type: 'task_removed', task_id: 'task-1', by: 'steward' };

let store: Store;
/** What is in the folders of tasks and of homes. */
let tasks: string[];
/** Removed folders, in order. */
let removed: string[];
let problems: string[];

beforeEach(async () => {
  store = await openMemoryStore(new FakeClock());
  [tasks, removed, problems] = [[], [], []];
  await addProject(store, 'default');
  await startTask(store);
});

const cloned = () => store.commit({ type: 'task_cloned', task_id: 'task-1', clone_dir: CLONE, commit: 'a' });

function keep(remove: (folder: string) => Promise<void> = async (folder) => void removed.push(folder)): TaskClones {
  const folders: Readonly<Record<string, readonly string[]>> = {
    '/jobs/tasks': tasks,
    '/jobs/.homes': ['default', 'other'],
  };
  return keepTaskClones({
    store,
    jobsDir: '/jobs',
    list: async (folder) => folders[folder] ?? [],
    remove,
    homeName: (clone) => `home of ${clone}`,
    problem: (text) => problems.push(text),
  });
}

/** What a start removes of the clones that lie there. */
async function sweptFolders(): Promise<readonly string[]> {
  const clones = keep();
  // The listing, and then each of them.
  await expect.poll(() => removed).toContain('/jobs/tasks/task-of-nobody');
  await clones.close();
  return removed.filter((folder) => folder.startsWith('/jobs/tasks/'));
}

test.each([
  { how: 'runs', drafts: [], goes: false },
  { how: 'failed', drafts: [FAILED], goes: false },
  { how: 'is completed', drafts: COMPLETED, goes: true },
  { how: 'was cancelled', drafts: [CANCELLED], goes: true },
  { how: 'was removed', drafts: [FAILED, REMOVED], goes: true },
])('at the start the clone of a task that $how: removed $goes', async ({ drafts, goes }) => {
  await cloned();
  for (const draft of drafts) await store.commit(draft);
  tasks.push('task-1', 'task-of-nobody');
  const swept = await sweptFolders();
  expect(swept.includes(FOLDER)).toBe(goes);
});

test('a clone goes when its task is over, after the homes of its commands in every project', async () => {
  const clones = keep();
  await cloned();
  clones.left('task-1');
  await store.commit(CANCELLED);
  await clones.close();
  expect(removed).toEqual([...HOMES, FOLDER]);
});

test('one whose task failed waits for another try, and goes when that task is removed', async () => {
  const clones = keep();
  await cloned();
  await store.commit(FAILED);
  clones.left('task-1');
  expect(removed).toEqual([]);
  await store.commit(REMOVED);
  await clones.close();
  expect(removed).toEqual([...HOMES, FOLDER]);
});

test('a task without a clone ends without a look at the disk', async () => {
  const clones = keep();
  await store.commit(CANCELLED);
  await clones.close();
  expect(removed).toEqual([]);
});

test('what the last command of an ended task left is removed again', async () => {
  await store.commit(CANCELLED);
  const clones = keep();
  clones.left('task-1');
  await clones.close();
  expect(removed).toEqual([...HOMES, FOLDER]);
});

test('a home that cannot be removed keeps its clone, which the next start finds, and that is told', async () => {
  const clones = keep(async (folder) => {
    if (folder === HOMES[1]) throw new Error('it is busy');
    removed.push(folder);
  });
  await cloned();
  await store.commit(CANCELLED);
  await clones.close();
  expect(removed).toEqual([HOMES[0]]);
  expect(problems).toEqual(['the clone of task task-1 could not be removed: it is busy']);
  tasks.push('task-1', 'task-of-nobody');
  removed = [];
  expect(await sweptFolders()).toContain(FOLDER);
});

test('a closed one removes nothing more, and resolves after what it began', async () => {
  const gate = Promise.withResolvers<void>();
  const clones = keep(async (folder) => {
    await gate.promise;
    removed.push(folder);
  });
  await cloned();
  await store.commit(CANCELLED);
  const closed = clones.close().then(() => removed.length);
  gate.resolve();
  expect(await closed).toBe(HOMES.length + 1);
  await store.commit(REMOVED);
  expect(removed).toHaveLength(HOMES.length + 1);
});
