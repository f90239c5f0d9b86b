/**
 * Writes the ordinary `.git` of a clone, for the agent: it reads the private objects and cannot write them. The engine
 * runs no command in it.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobTree } from '../../../../engine/job/gitPorts.ts';
import { readIfThere, writeGitDirectory } from '../../gitDirectory.ts';
import { branchRef, jobBranchRef } from '../../names.ts';
import { ownFile } from '../jobTree.ts';
import type { AgentRepository } from './agentRepository.ts';

/** Commits that the agent's `.git` names. */
export interface AgentRefs {
  /** Tip of the job's branch. */
  readonly head: string;
  /** Commit of the user's history that the job started from. */
  readonly origin: string;
  readonly baseBranch: string | null;
  /** Branches, tags and stash of the agent: full ref name → commit. */
  readonly own?: Readonly<Record<string, string>>;
}

/** `index` is copied, because the agent's git needs a separate one. */
export async function writeAgentGit(
  tree: JobTree,
  repository: AgentRepository,
  index: string,
  { head, origin, baseBranch: base, own = {} }: AgentRefs,
): Promise<void> {
  const ours = jobBranchRef(tree.branch);
  const refs: Record<string, string> = { [ours]: head };
  // a branch `autonomous` would block the branches `autonomous/<job>`
  if (base !== null && base !== 'autonomous' && branchRef(base) !== ours) refs[branchRef(base)] = origin;
  const agentGit = join(tree.workTree, '.git');
  await writeGitDirectory(agentGit, {
    objectFormat: repository.objectFormat,
    head: `ref: ${ours}`,
    refs,
    packed: { ...besideOurs(own, Object.keys(refs)), ...repository.tags },
    alternates: [join(tree.gitDir, 'objects')],
    shallow: repository.shallow,
    identity: repository.identity,
    exclude: repository.exclude,
  });
  await copyFile(index, join(agentGit, 'index'));
}

/** Leaves out the refs in `ours`, and those that cannot exist beside them: a ref is a file, and its folders are folders. */
function besideOurs(own: Readonly<Record<string, string>>, ours: readonly string[]): Record<string, string> {
  const stays = (ref: string): boolean =>
    ours.every((one) => one !== ref && !one.startsWith(`${ref}/`) && !ref.startsWith(`${one}/`));
  return Object.fromEntries(Object.entries(own).filter(([ref]) => stays(ref)));
}

const markOf = (tree: JobTree): string => ownFile(tree, 'agent-head');

/** Records that the clone's `.git` is whole, and at which commit. Null while it is being replaced. */
export async function markHead(tree: JobTree, head: string | null): Promise<void> {
  await writeFile(markOf(tree), head ?? '');
}

/** The commit that `markHead` recorded last, or null if none is known. */
export async function markedHead(tree: JobTree): Promise<string | null> {
  return (await readIfThere(markOf(tree))) || null;
}
