/**
 * Creates the clone for a task's commands: one per task, created for its first command from the repository's HEAD at that time.
 */
import path from 'node:path';
import type { JobTree } from '../../job/gitPorts.ts';
import type { OrderOf, StepPorts } from './stepPorts.ts';
import { cloneFolder, taskFolder } from './taskFolders.ts';

function taskTree(ports: StepPorts, taskId: string): JobTree {
  const folder = taskFolder(ports.tasksDir, taskId);
  return {
    projectDir: ports.repository,
    workTree: cloneFolder(ports.tasksDir, taskId),
    gitDir: path.join(folder, 'git'),
    branch: `autonomous/${taskId}`,
  };
}

/**
 * The alternate objects of the clone's git. Without them no history can be read in the sandbox, which hides the engine's folder
 * in the home.
 */
export const gitObjects = (ports: StepPorts, taskId: string): string =>
  path.join(taskTree(ports, taskId).gitDir, 'objects');

/** Clones by task, finished or in creation, because two clones of one task would take the tree from each other. */
const clones = new WeakMap<StepPorts, Map<string, Promise<string>>>();

/** Returns the folder, and creates it if it is missing. */
export async function taskClone(ports: StepPorts, order: OrderOf<'command'>, signal: AbortSignal): Promise<string> {
  const known = clones.get(ports) ?? new Map<string, Promise<string>>();
  clones.set(ports, known);
  const before = known.get(order.taskId);
  if (before !== undefined) {
    // If the other creation failed, its caller was stopped or reports the reason: this call tries itself.
    const folder = await before.catch(() => null);
    signal.throwIfAborted();
    if (folder !== null && (await ports.isThere(folder))) return folder;
    if (known.get(order.taskId) !== before) return taskClone(ports, order, signal);
  }
  const made = makeOrFind(ports, order, signal);
  known.set(order.taskId, made);
  return made;
}

async function makeOrFind(ports: StepPorts, order: OrderOf<'command'>, signal: AbortSignal): Promise<string> {
  const tree = taskTree(ports, order.taskId);
  if (order.cloneDir === tree.workTree && (await ports.isThere(tree.workTree))) return tree.workTree;
  const { head } = await ports.git.makeClone(tree, { snapshot: false, signal });
  await ports.store.commit({
    type: 'task_cloned',
    task_id: order.taskId,
    clone_dir: tree.workTree,
    commit: head,
  });
  return tree.workTree;
}
