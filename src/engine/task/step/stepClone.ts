/** The clone that a task's commands run in: one for all of them, made with the first, of the repository's HEAD as it is then. */
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

/** What the clone's own git borrows: without it no history can be read in the sandbox, which hides our folder in the home. */
export const gitObjects = (ports: StepPorts, taskId: string): string =>
  path.join(taskTree(ports, taskId).gitDir, 'objects');

/** By task, made or being made: an order may have been given before there was one. Two clones of one task would take the tree from each other. */
const clones = new WeakMap<StepPorts, Map<string, Promise<string>>>();

/** The folder; made anew where it is gone. */
export async function taskClone(ports: StepPorts, order: OrderOf<'command'>, signal: AbortSignal): Promise<string> {
  const known = clones.get(ports) ?? new Map<string, Promise<string>>();
  clones.set(ports, known);
  const before = known.get(order.taskId);
  if (before !== undefined) {
    // Where it fails, whoever began it was stopped or will say why: this one tries itself.
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
