/** What is kept of attempts, looked at and made again, without their clones and without owning the workspace. */
import { writeFile } from 'node:fs/promises';
import { nodeFiles } from '../adapters/files.ts';
import { type AgainStep, makeAgain } from '../adapters/git/makeAgain.ts';
import { createRunGit } from '../adapters/git/runGit.ts';
import { type KeptFiles, keptAttempts } from '../adapters/keptWork.ts';
import { type KeptWork, parseKept } from '../core/keptWork.ts';
import { need } from '../core/rows.ts';
import { repositoryOf } from '../engine/tree.ts';
import type { AttemptRow } from '../shared/domain.ts';
import { errnoOf, failure, messageOf } from '../shared/errors.ts';
import type { KeptList, RestoreAs, Restored } from '../shared/keptWork.ts';
import type { State } from '../shared/state.ts';
import { lookAtOwnState, type Viewer } from './readOnly.ts';

export async function keptList(viewer: Viewer): Promise<KeptList> {
  return keptAttempts(viewer.places.stateDir, nodeFiles).list();
}

async function read(files: KeptFiles, attempt: AttemptRow): Promise<KeptWork> {
  const file = await files.get(attempt.id);
  if (file === null || (attempt.ended_at !== null && attempt.kept === null && attempt.status !== 'abandoned'))
    throw failure('NOT_FOUND', `attempt ${attempt.id} left no work that could be restored`, {
      hint: 'See which did: autonomous attempts',
    });
  if (attempt.kept !== null && attempt.kept !== file.hash)
    throw failure('STATE_DAMAGED', `what is kept of attempt ${attempt.id} is not what it left`);
  const kept = parseKept(file.data);
  if (kept.attempt !== attempt.id || kept.job !== attempt.job_id)
    throw failure('STATE_DAMAGED', `what is kept of attempt ${attempt.id} belongs to another one`);
  return kept;
}

/** The attempt's and all that it stands on, oldest first. An earlier one has a lower id, so this ends. */
async function chain(files: KeptFiles, state: State, id: number): Promise<readonly KeptWork[]> {
  const found: KeptWork[] = [];
  for (let at: number | null = id; at !== null; ) {
    const kept: KeptWork = await read(files, need(state, 'attempts', at));
    const later = found[0];
    if (later !== undefined && (kept.attempt >= later.attempt || kept.origin !== later.origin))
      throw failure('STATE_DAMAGED', `what is kept of attempt ${later.attempt} does not stand on attempt ${at}`);
    found.unshift(kept);
    at = kept.after;
  }
  return found;
}

function steps(kept: readonly KeptWork[], state: State, attempt: AttemptRow): readonly AgainStep[] {
  const feature = attempt.feature_id === null ? undefined : state.features.get(attempt.feature_id);
  const name = feature?.name.replaceAll(/\s+/g, ' ').trim() ?? 'a review';
  const before = kept.flatMap(({ start, work }) => [start, work]).slice(0, -1);
  const isEmpty = before.every(({ patch }) => patch.length === 0);
  return [
    ...before.map((step, index) => ({
      ...step,
      message:
        index === before.length - 1 && !isEmpty
          ? `What attempt ${attempt.id} of job ${attempt.job_id} began with`
          : null,
    })),
    ...kept.slice(-1).map(({ work }) => ({
      ...work,
      message: `${name}\n\nAttempt ${attempt.id} (number ${attempt.number}, ${attempt.status}) of job ${attempt.job_id}, restored.`,
    })),
  ];
}

/** A file of the user's is never written over. */
async function writeNew(path: string, data: Uint8Array): Promise<void> {
  try {
    await writeFile(path, data, { flag: 'wx' });
  } catch (cause) {
    const taken = errnoOf(cause) === 'EEXIST';
    if (taken)
      throw failure('NOT_PERMITTED', `there is a file ${path} already`, { hint: 'Choose another name.', cause });
    throw failure('DISK', `cannot write ${path}: ${messageOf(cause)}`, { details: { path }, cause });
  }
}

/** NOT_FOUND, STATE_DAMAGED, NOT_PERMITTED when the branch is there. */
export async function restoreAttempt(viewer: Viewer, attemptId: number, as: RestoreAs): Promise<Restored> {
  const state = await lookAtOwnState(viewer);
  const attempt = need(state, 'attempts', attemptId);
  const kept = await chain(keptAttempts(viewer.places.stateDir, nodeFiles), state, attemptId);
  const origin = kept[0]?.origin ?? '';
  const all = steps(kept, state, attempt);
  if ('patchFile' in as) {
    const wanted = as.ownOnly ? all.slice(-1) : all;
    await writeNew(as.patchFile, Buffer.concat(wanted.map(({ patch }) => patch)));
    return { target: as.patchFile, commit: null, origin };
  }
  const user = { git: createRunGit(viewer), env: viewer.env, clock: viewer.clock };
  const projectDir = repositoryOf(need(state, 'jobs', attempt.job_id), viewer.places.projectDir);
  const commit = await makeAgain(user, { projectDir, branch: as.branch, origin, steps: all });
  return { target: as.branch, commit, origin };
}
