/**
 * Stores what the `.git` of a clone takes from the user's repository, as it was when the clone was made. Without this, each accepted feature
 * and each fresh checkout would read the user's settings and tags again.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFields, parseJson } from '../../../../core/text/json.ts';
import type { JobTree } from '../../../../engine/job/gitPorts.ts';
import { type Identity, type ObjectFormat, readIfThere } from '../../gitDirectory.ts';
import { isObjectId } from '../../names.ts';
import type { UserRepository, UserSide } from '../../user/sides.ts';
import { openUserRepository } from '../../user/userRepository.ts';
import { tagsIn } from '../tags.ts';

interface Stored {
  readonly objectFormat: ObjectFormat;
  readonly identity: Identity;
  /** Text of `info/exclude`. */
  readonly exclude: string;
  /** Full ref name → commit. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface AgentRepository extends Stored {
  /** Boundary commits of a shallow history. A merge of the base may add some. */
  readonly shallow: string | null;
}

const fileOf = ({ gitDir }: JobTree): string => join(gitDir, 'agent-repository.json');

/** `origin`: the commit of the user's history that the job started from. */
export async function storeAgentRepository(
  user: UserSide,
  tree: JobTree,
  repository: UserRepository,
  origin: string,
  signal: AbortSignal,
): Promise<AgentRepository> {
  const { objectFormat, settings, exclude } = repository;
  const tags = await tagsIn(user.git, repository, origin, signal);
  const stored: Stored = { objectFormat, identity: settings.identity, exclude, tags };
  await writeFile(fileOf(tree), JSON.stringify(stored));
  return { ...stored, shallow: await shallowOf(tree) };
}

/** Reads it, or makes it now for a clone of an older version. */
export async function agentRepository(
  user: UserSide,
  tree: JobTree,
  origin: string,
  signal: AbortSignal,
): Promise<AgentRepository> {
  const stored = parsed((await readIfThere(fileOf(tree))) ?? '');
  if (stored !== null) return { ...stored, shallow: await shallowOf(tree) };
  return storeAgentRepository(user, tree, await openUserRepository(user, tree.projectDir), origin, signal);
}

const shallowOf = ({ gitDir }: JobTree): Promise<string | null> => readIfThere(join(gitDir, 'shallow'));

/** Null if it is not whole: a killed process may have written a part of it. */
function parsed(text: string): Stored | null {
  const value = parseJson(text);
  if (!isFields(value)) return null;
  const { objectFormat, identity, exclude, tags } = value;
  if (objectFormat !== 'sha1' && objectFormat !== 'sha256') return null;
  if (!isFields(identity) || !isFields(tags) || typeof exclude !== 'string') return null;
  const named = Object.entries(tags).flatMap(([ref, commit]) =>
    typeof commit === 'string' && isObjectId(commit) ? [[ref, commit] as const] : [],
  );
  return {
    objectFormat,
    identity: { name: String(identity['name']), email: String(identity['email']) },
    exclude,
    tags: Object.fromEntries(named),
  };
}
