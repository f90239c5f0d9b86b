/** Measures the work at a phase gate or a merge gate, for rules. Whatever is not certain is not covered by any rule. */

import type { Evidence } from '../../../shared/job/evidence.ts';
import type { AttemptRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { ChangedFile, GateFacts } from '../../../shared/rule/rules.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { splitModel } from '../../model/modelName.ts';
import { hasPriceOf } from '../../money/price/unpriced.ts';
import { sortedCategories } from '../../rule/covers.ts';
import { plainWork } from '../../rule/plainWork.ts';
import { countedMicroUsd, jobFeatures, phaseFeatures } from '../../state/rows.ts';
import { hasPassed } from '../view/freshRun.ts';
import { takenFailure } from './acceptResult.ts';

interface Change {
  readonly files: readonly ChangedFile[];
  /** Paths that would execute on the user's machine. */
  readonly flagged: readonly string[];
}

const allPassed = (evidence: readonly Evidence[]): boolean => evidence.length > 0 && evidence.every(hasPassed);

/** Null if there is no call, or one without a price. */
function costOf(state: State, jobId: string, phaseId: number | null): number | null {
  const rows = [...state.spends.values()].filter(
    (row) => row.job_id === jobId && (phaseId === null || row.phase_id === phaseId) && row.status !== 'released',
  );
  if (rows.length === 0 || !rows.every(hasPriceOf)) return null;
  return rows.reduce((sum, row) => sum + countedMicroUsd(row), 0);
}

function factsOf(
  state: State,
  job: JobRow,
  { files, flagged }: Change,
  of: Pick<GateFacts, 'verified'> & { readonly phaseId: number | null; readonly categories: readonly string[] },
): GateFacts {
  return {
    provider: splitModel(job.options.models.worker, job.options.provider).connection,
    work: plainWork(files, flagged),
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + (lines ?? 0), 0),
    categories: sortedCategories(of.categories),
    microUsd: costOf(state, job.id, of.phaseId),
    verified: of.verified,
  };
}

/** A phase whose review approved it. */
export function phaseFacts(state: State, job: JobRow, phase: PhaseRow, review: AttemptRow, change: Change): GateFacts {
  const categories = phaseFeatures(state, phase.id).map(({ category }) => category);
  const isOfHead = review.evidence.every(({ commit }) => commit === job.head);
  const isApproved = review.status === 'succeeded' && review.verdict?.verdict === 'APPROVED';
  const verified = isApproved && isOfHead && allPassed(review.evidence);
  return factsOf(state, job, change, { verified, phaseId: phase.id, categories });
}

/** The result of a job. A result that was accepted although a command fails is not verified. */
export function mergeFacts(state: State, job: JobRow, change: Change): GateFacts {
  const categories = jobFeatures(state, job.id).map(({ category }) => category);
  const checks = job.result_checks;
  const isOfHead = job.head !== null && job.verified === job.head && checks?.commit === job.head;
  const verified = isOfHead && takenFailure(state, job) === null && allPassed(checks.evidence);
  return factsOf(state, job, change, { verified, phaseId: null, categories });
}
