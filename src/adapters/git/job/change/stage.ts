/**
 * Stages the whole work tree into an index, without ignored files. Paths have one character per byte (`Extras.bytes`).
 * A repository nested in the tree never becomes a gitlink, which would hide its content: its files are staged as
 * ordinary files (a job's tree), or it is left out (the user's tree); its `.git` is never staged.
 */
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SIZE_LIMITS } from '../../../../core/repository/tooLarge.ts';
import type { TooLarge } from '../../../../engine/job/gitPorts.ts';
import { failure } from '../../../../shared/errors.ts';
import { rm } from '../../../platform/heldFiles.ts';
import { shownPath, splitZ } from '../../names.ts';
import { type Extras, type GitAnswer, type GitLocation, gitFailure, type RunGit } from '../../runGit.ts';
import type { SizeLimits } from '../../user/sides.ts';
import { runUnlocked, type WorkTreeLocation } from '../jobTree.ts';
import { sizeUp } from './tooLarge.ts';

const ADD = ['add', '--all', '--ignore-errors'] as const;
/** The same for a list of paths. */
const ADD_LISTED = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'] as const;
const MAX_NESTING = 10;
/** Never exists: an entry below a nested repository makes git read it like any folder; `add` drops it again. */
const SEED = '.autonomous-seed';

/** Time before obstacles are searched for. */
export const PATIENCE_MS = 60_000;
/** Git opens these files in every folder, and would block forever on a pipe. */
const READ_BY_GIT = /^\.git(?:ignore|attributes|modules)$/i;

/**
 * Warnings about a missing object store, about a link that git follows for no ignore file, and about lines of attributes
 * that do not count: none hides a part of the tree.
 */
const HARMLESS = new RegExp(
  `^(?:${[
    String.raw`error: object directory .* does not exist; check .*alternates\.?`,
    "warning: unable to access '.*': Too many levels of symbolic links",
    String.raw`warning: Negative patterns are ignored in git attributes\nUse '\\!' for literal leading exclamation\.`,
    String.raw`.* is not a valid attribute name: .*:\d+`,
  ].join('|')})\n`,
  'gm',
);

export type NestedRepositories = 'take' | 'leave';

interface Nested {
  readonly gitlinks: readonly string[];
  /** Untracked repositories, relative paths without a trailing slash. */
  readonly untracked: readonly string[];
}

/** Lines of `ls-files --stage`: mode, id and stage, a tab, the path. */
async function indexedIn(git: RunGit, place: GitLocation): Promise<string[]> {
  return splitZ(await git.ok(place, ['ls-files', '--stage', '-z'], { bytes: true }));
}

function gitlinksOf(indexed: readonly string[]): string[] {
  return indexed.filter((line) => line.startsWith('160000 ')).map((line) => line.slice(line.indexOf('\t') + 1));
}

/**
 * Drops gitlinks of an index that another program or a killed `add` left: for a repository that the index knows, `add`
 * would run git inside it, with that repository's filters.
 */
async function dropGitlinks(git: RunGit, place: GitLocation, indexed: readonly string[]): Promise<void> {
  const gitlinks = gitlinksOf(indexed);
  if (gitlinks.length === 0) return;
  const input = indexInfo({ gitlinks, untracked: [] }, 'leave', await idLength(git, place));
  await git.ok(place, ['update-index', '-z', '--index-info'], { input, bytes: true });
}

async function findNested(git: RunGit, place: GitLocation): Promise<Nested> {
  const gitlinks = gitlinksOf(await indexedIn(git, place));
  const others = splitZ(await git.ok(place, ['ls-files', '--others', '--exclude-standard', '-z'], { bytes: true }));
  return { gitlinks, untracked: others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)) };
}

/**
 * Lines for `update-index --index-info -z`. An id of zeros deletes the entry; its length is that of the repository's
 * format.
 */
function indexInfo(nested: Nested, mode: NestedRepositories, idLength: number): string {
  const drop = nested.gitlinks.map((path) => `0 ${'0'.repeat(idLength)}\t${path}\0`);
  const inside = mode === 'take' ? [...nested.gitlinks, ...nested.untracked] : [];
  const seeds = inside.map((path) => `100644 ${'1'.repeat(idLength)}\t${path}/${SEED}\0`);
  return [...drop, ...seeds].join('');
}

/** Makes folders readable again that their owner made unreadable; links are not followed. */
export async function openUp(folder: string): Promise<void> {
  const { mode } = await lstat(folder);
  if ((mode & 0o700) !== 0o700) await chmod(folder, (mode & 0o7777) | 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openUp(path);
    else if (entry.isFile()) {
      const file = await lstat(path);
      if ((file.mode & 0o600) !== 0o600) await chmod(path, (file.mode & 0o7777) | 0o600);
    }
  }
}

/** Removes pipes and the like, on which git would block forever; links are not followed. */
export async function removeEndless(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeEndless(path);
    else if (READ_BY_GIT.test(entry.name) && !entry.isFile() && !entry.isSymbolicLink()) {
      await rm(path, { force: true });
    }
  }
}

export interface Staged {
  /** Paths of the nested repositories that were found. */
  readonly nested: readonly string[];
  readonly tooLarge: readonly TooLarge[];
}

/** `add`, without the files that are too large. */
async function addFitting(
  git: RunGit,
  place: WorkTreeLocation,
  indexed: readonly string[],
  limits: SizeLimits,
  extras: Extras,
): Promise<{ readonly answer: GitAnswer; readonly tooLarge: readonly TooLarge[] }> {
  const sized = await sizeUp(git, place, indexed, limits, extras.patienceMs);
  if ('code' in sized) return { answer: sized, tooLarge: [] };
  const { taken, tooLarge } = sized;
  if (tooLarge.length === 0) return { answer: await runUnlocked(git, place, ADD, extras), tooLarge };
  const input = taken.map((path) => `${path}\0`).join('');
  return { answer: await runUnlocked(git, place, ADD_LISTED, { ...extras, input, bytes: true }), tooLarge };
}

/**
 * Stages the tree into the index of `place`, without files that are too large. Throws GIT_FAILED if a part of the tree
 * cannot be read: a commit without that part would look as if it was deleted.
 */
export async function stage(
  git: RunGit,
  place: WorkTreeLocation,
  mode: NestedRepositories,
  limits: SizeLimits = SIZE_LIMITS,
): Promise<Staged> {
  const met = new Set<string>();
  const indexed = await indexedIn(git, place);
  await dropGitlinks(git, place, indexed);
  let opened = mode === 'leave';
  let extras: Extras = mode === 'leave' ? {} : { patienceMs: PATIENCE_MS };
  for (let round = 0; round < MAX_NESTING; round++) {
    const { answer, tooLarge } = await addFitting(git, place, indexed, limits, extras);
    if (answer.late && extras.patienceMs !== undefined) {
      extras = {};
      await removeEndless(place.workTree);
      continue;
    }
    if (answer.late) throw gitFailure(ADD, answer);
    const isWhole = answer.code === 0 && answer.stderr.replace(HARMLESS, '') === '';
    // `add` complains about a nested repository; a list of paths names none.
    const complains = tooLarge.length === 0 || mode === 'leave';
    if (isWhole && complains) return { nested: [...met], tooLarge };
    const nested = await findNested(git, place);
    const inside = nested.gitlinks.length + nested.untracked.length > 0;
    if (isWhole && !inside) return { nested: [...met], tooLarge };
    for (const path of [...nested.gitlinks, ...nested.untracked]) met.add(shownPath(path));
    if (met.size > 0 && (mode === 'leave' || inside)) {
      const info = indexInfo(nested, mode, await idLength(git, place));
      if (info) await git.ok(place, ['update-index', '-z', '--index-info'], { input: info, bytes: true });
      if (mode === 'leave') return { nested: [...met], tooLarge };
    } else if (!opened && /Permission denied/.test(answer.stderr)) {
      opened = true;
      await openUp(place.workTree);
    } else {
      throw gitFailure(ADD, { ...answer, code: answer.code || 1 });
    }
  }
  throw failure('GIT_FAILED', `git repositories nested more than ${MAX_NESTING} deep cannot be committed`, {
    hint: 'Remove the inner .git folders.',
    details: { paths: [...met].slice(0, 20) },
  });
}

async function idLength(git: RunGit, place: GitLocation): Promise<number> {
  return (await git.ok(place, ['rev-parse', '--show-object-format'])).trim() === 'sha256' ? 64 : 40;
}
