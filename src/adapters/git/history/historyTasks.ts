/** Finds tasks for an eval in the history of the user's repository. Nothing in it is changed. */
import { join } from 'node:path';
import { type ChangedFile, type HistoryCommit, qualify } from '../../../core/eval/qualify.ts';
import type { Candidate, EvalTask, TaskTrees } from '../../../engine/eval/ports.ts';
import { failure } from '../../../shared/errors.ts';
import { isObjectId, objectId, splitZ } from '../names.ts';
import { createRunGit, type GitSettings, type RunGit } from '../runGit.ts';
import { withScratchRepository } from '../user/scratchRepository.ts';
import type { UserRepository } from '../user/sides.ts';
import { openUserRepository, tipOf } from '../user/userRepository.ts';
import { manifestOf, type TaskPair, writesTaskTrees } from './taskTrees.ts';

/** Commits that are looked at. */
const MAX_COMMITS = 2_000;

export interface HistoryOptions extends GitSettings {
  readonly projectDir: string;
  /** The newest commit that counts: a commit id, a branch or a tag. Null for the checked-out commit. */
  readonly at: string | null;
  /** Folder for scratch git directories. */
  readonly root: string;
}

export async function historyTasks(options: HistoryOptions): Promise<TaskTrees> {
  const git = createRunGit(options);
  const repository = await openUserRepository({ ...options, git }, options.projectDir);
  const tip = await commitAt(git, repository, options.at);
  const pairs = new Map<string, TaskPair>();
  const read = <T>(use: (ask: Ask) => Promise<T>): Promise<T> =>
    withScratchRepository(repository, tip, ({ place }) => use((args, extras) => git.ok(place, args, extras)));
  return {
    async *candidates() {
      for (const id of await read((ask) => commitsBefore(ask, tip))) {
        const { candidate, pair } = await read((ask) => candidateOf(ask, id));
        if (pair !== null) pairs.set(id, pair);
        yield candidate;
      }
    },
    ...writesTaskTrees(
      {
        git,
        root: options.root,
        objectFormat: repository.objectFormat,
        objects: join(repository.commonDir, 'objects'),
      },
      pairs,
    ),
  };
}

type Ask = (args: readonly string[], extras?: { readonly bytes?: boolean }) => Promise<string>;

async function commitAt(git: RunGit, repository: UserRepository, at: string | null): Promise<string> {
  const names = at === null ? ['HEAD'] : isObjectId(at) ? [at] : [`refs/heads/${at}`, `refs/tags/${at}`];
  for (const name of names) {
    const tip = await tipOf(git, repository, name);
    if (tip !== null) return tip;
  }
  throw failure('NOT_FOUND', at === null ? 'this repository has no commit yet' : `there is no commit ${at}`, {
    hint: 'Give a branch, a tag, or a whole commit id.',
  });
}

/** Newest first, without merges. */
async function commitsBefore(ask: Ask, tip: string): Promise<string[]> {
  const text = await ask(['rev-list', '--no-merges', `--max-count=${MAX_COMMITS}`, '--end-of-options', tip]);
  return text.split('\n').filter((line) => line !== '');
}

async function candidateOf(ask: Ask, id: string): Promise<{ candidate: Candidate; pair: TaskPair | null }> {
  const commit = await readCommit(ask, id);
  const qualified = qualify(commit);
  const [subject = ''] = commit.message.split('\n');
  const name = `${id.slice(0, 10)} ${subject}`;
  if ('refused' in qualified) return { candidate: { name, refused: qualified.refused }, pair: null };
  const [before = ''] = commit.parents;
  const task: EvalTask = {
    id,
    ...qualified,
    test: null,
    setup: null,
    hasSolution: true,
    manifest: await manifestOf(ask, id),
  };
  return { candidate: { task }, pair: { before, own: id, tests: null } };
}

async function readCommit(ask: Ask, id: string): Promise<HistoryCommit> {
  const commit = objectId(id);
  const text = await ask(['show', '--no-patch', '--format=%P%n%B', '--end-of-options', commit]);
  const [parents = '', ...lines] = text.split('\n');
  const parentIds = parents.split(' ').filter((parent) => parent !== '');
  const [parent] = parentIds;
  if (parent === undefined || parentIds.length > 1)
    return { id, parents: parentIds, message: lines.join('\n').trim(), files: [] };
  const listed = await ask(['diff-tree', '-r', '-z', '--no-renames', '--numstat', '--end-of-options', parent, commit], {
    bytes: true,
  });
  return { id, parents: parentIds, message: lines.join('\n').trim(), files: splitZ(listed).map(changedFile) };
}

/** A line of `--numstat -z`: `added<tab>removed<tab>path`, with dashes for a binary file. */
function changedFile(line: string): ChangedFile {
  const [added = '', removed = '', ...path] = line.split('\t');
  return { path: path.join('\t'), lines: added === '-' ? null : Number(added) + Number(removed) };
}
