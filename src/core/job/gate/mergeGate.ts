/** Writes the facts for the steward's decision about the merge: the change, and the evidence. */
import type { JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { jobApprovals, jobFeatures, jobPhases } from '../../state/rows.ts';
import { failsAsBefore } from '../result/baseline.ts';
import { movedText } from '../result/baseMerges.ts';
import { takenFailure, takenText } from './acceptResult.ts';
import { evidenceLines, featureLines, gateLine, listed, shortStat } from './phaseGate.ts';

/** Lines of the diffstat. A terminal shows 200 lines of a question. */
const MAX_FILES = 100;

export interface MergeFacts {
  /** Output of `git diff --stat`. */
  readonly stat: string;
  /** Commands that git runs when the user enters a folder, one line each. */
  readonly reasons: readonly string[];
  /** Ignored files that changed. Empty if there are none. */
  readonly ignored: string;
}

/** The change comes first, because clients show its totals. The phases come last, because their summaries are whole texts. */
export function mergeGateText(state: State, job: JobRow, { stat, reasons, ignored }: MergeFacts): string {
  const taken = takenFailure(state, job);
  const features = jobFeatures(state, job.id).filter(({ phase_id }) => phase_id !== null);
  const parts = [
    shortStat(stat, MAX_FILES),
    taken === null ? '' : takenText(taken),
    movedSince(state, job),
    verifyText(job),
    listed('Features', featureLines(features.map((feature) => ({ ...feature, held: null })))),
    reasons.join('\n'),
    ignored,
    listed('Phases', jobPhases(state, job.id).map(phaseText)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Empty if an older version ran the commands. */
function verifyText(job: JobRow): string {
  if (job.result_checks === null) return '';
  const { evidence } = job.result_checks;
  return listed(
    'Verify commands',
    evidenceLines(evidence.map((one) => ({ ...one, asBefore: failsAsBefore(job, one) }))),
  );
}

/** One line, then the whole summary, because its end may state what is missing. */
function phaseText({ number, title, status, summary }: PhaseRow): string {
  const lines = (summary ?? '').trim().split('\n');
  return [gateLine(`${number}. ${title}: ${status}`), ...lines.map((line) => `  ${line}`.trimEnd())]
    .join('\n')
    .trimEnd();
}

/** The changes of the base since the steward last approved the merge. Empty if there are none. */
function movedSince(state: State, job: JobRow): string {
  const approved = jobApprovals(state, job.id).findLast(
    ({ kind, status }) => kind === 'merge' && status === 'approved',
  );
  const from = job.base_merges.findIndex(({ onto }) => onto === approved?.commit);
  if (approved === undefined || approved.commit === null || from === -1) return '';
  const moves = job.base_merges.slice(from).map((merge) => `Then ${movedText(job, merge)}`);
  return [`You approved ${approved.commit.slice(0, 12)} (question ${approved.id}).`, ...moves].join('\n');
}
