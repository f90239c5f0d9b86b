/** Restores the work of an attempt from its saved state, without its clone. */
import { type KeptWork, parseKept } from '../../../core/job/keptWork.ts';
import { need } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { RestoreAs, Restored } from '../../../shared/job/keptWork.ts';
import type { AttemptRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { AgainRequest, AgainStep, KeptAttempts } from '../gitPorts.ts';
import { repositoryOf } from './tree.ts';

type Kept = Pick<KeptAttempts, 'get'>;

export interface RestorePorts {
  /** Written by this installation. */
  readonly state: State;
  readonly projectDir: string;
  readonly kept: Kept;
  /** Makes a branch of the user's repository and returns its commit. Throws NOT_PERMITTED if there is such a branch. */
  restoreKeptWork(request: AgainRequest): Promise<string>;
  /** Writes a file of the user's. Throws NOT_PERMITTED if there is a file already. */
  writeNew(path: string, data: Uint8Array): Promise<void>;
}

async function read(files: Kept, attempt: AttemptRow): Promise<KeptWork> {
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

/** The attempt and all its bases, oldest first. Ends because each base has a lower id. */
async function chain(files: Kept, state: State, id: number): Promise<readonly KeptWork[]> {
  const found: KeptWork[] = [];
  for (let at: number | null = id; at !== null; ) {
    const kept: KeptWork = await read(files, need(state, 'attempts', at));
    const later = found[0];
    if (later !== undefined && (kept.attempt >= later.attempt || kept.origin !== later.origin))
      throw failure('STATE_DAMAGED', `the saved work of attempt ${later.attempt} is not based on attempt ${at}`);
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
          ? `The starting point of attempt ${attempt.id} of job ${attempt.job_id}`
          : null,
    })),
    ...kept.slice(-1).map(({ work }) => ({
      ...work,
      message: `${name}\n\nAttempt ${attempt.id} (number ${attempt.number}, ${attempt.status}) of job ${attempt.job_id}, restored.`,
    })),
  ];
}

/** Throws NOT_FOUND, STATE_DAMAGED, or NOT_PERMITTED if the branch or the file exists. */
export async function restore(ports: RestorePorts, attemptId: number, as: RestoreAs): Promise<Restored> {
  const { state } = ports;
  const attempt = need(state, 'attempts', attemptId);
  const kept = await chain(ports.kept, state, attemptId);
  const origin = kept[0]?.origin ?? '';
  const all = steps(kept, state, attempt);
  if ('patchFile' in as) {
    const wanted = as.ownOnly ? all.slice(-1) : all;
    await ports.writeNew(as.patchFile, Buffer.concat(wanted.map(({ patch }) => patch)));
    return { target: as.patchFile, commit: null, origin };
  }
  const projectDir = repositoryOf(need(state, 'jobs', attempt.job_id), ports.projectDir);
  const commit = await ports.restoreKeptWork({ projectDir, branch: as.branch, origin, steps: all });
  return { target: as.branch, commit, origin };
}
