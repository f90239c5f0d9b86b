/** Collects the facts about a phase besides its diff, for its reviewer and its summarizer. Pure, so that the same rows give the same prompt. */

import type { Verdict } from '../../../shared/job/plan.ts';
import type { AttemptRow, FeatureRow, JobRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { NoteRow } from '../../../shared/note.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isOfOthers } from '../../agent/executors.ts';
import { selectNotes } from '../../note/noteSelection.ts';
import { planId } from '../../state/planId.ts';
import { featureAttempts, jobPhases, phaseFeatures, phaseReviews } from '../../state/rows.ts';
import { cutText } from '../../text/cutText.ts';
import { returnsText } from '../result/returnsText.ts';
import { type Decisions, decisionsOf } from './decisions.ts';

/** Characters of all reports together, and of one. */
const MAX_REPORTS = 16_000;
const MAX_REPORT = 2_000;

/** A worker's report about its attempt. */
export interface WorkerReport {
  readonly feature: string;
  readonly attempt: number;
  /** The attempt's end, e.g. `succeeded` or `failed (verify_failed)`. */
  readonly ended: string;
  readonly text: string;
}

/** A review of the same phase or feature that has its verdict. */
export interface EarlierReview {
  /** The reviewed commit. */
  readonly commit: string;
  readonly verdict: Verdict;
}

export interface PhaseRecord {
  readonly decisions: Decisions;
  /** Assumptions of the accepted plan. */
  readonly assumptions: readonly string[];
  readonly notes: readonly NoteRow[];
  /** For each feature, the reports of accepted attempts that a review reopened, and of the attempt that counts. */
  readonly reports: readonly WorkerReport[];
  /** Phases before this one, with their summaries. */
  readonly earlier: readonly PhaseRow[];
}

/** `only` is the feature that is reviewed alone, or null for the whole phase. The report of its attempt is in no row yet. */
export function phaseRecord(state: State, job: JobRow, phase: PhaseRow, only: FeatureRow | null = null): PhaseRecord {
  const features = only === null ? phaseFeatures(state, phase.id) : [only];
  const notes = [...state.notes.values()].filter((note) => only === null || !isOfOthers(state, only, note));
  return {
    decisions: decisionsOf(state, job.id),
    assumptions: state.plans.get(planId(job.id, job.plan_version))?.plan.assumptions ?? [],
    notes: selectNotes(features, notes).notes,
    reports: only === null ? reportsOf(state, features) : [],
    earlier: jobPhases(state, job.id).filter((row) => row.number < phase.number),
  };
}

function reportsOf(state: State, features: readonly FeatureRow[]): WorkerReport[] {
  const rows = features.flatMap((feature) => {
    const last = countingAttempt(state, feature);
    if (last === undefined) return [];
    return [...acceptedBefore(state, last), last].map((attempt) => ({ feature, attempt, isLast: attempt === last }));
  });
  const most = Math.min(MAX_REPORT, Math.floor(MAX_REPORTS / Math.max(1, rows.length)));
  return rows.map(({ feature, attempt, isLast }) => ({
    feature: feature.name,
    attempt: attempt.number,
    ended: isLast ? endOf(attempt) : `${attempt.status}, then reopened`,
    text: cut(attempt.summary ?? '', most),
  }));
}

function endOf({ status, cause, returns }: AttemptRow): string {
  const why = returnsText(returns);
  const returned = why === null ? '' : `, ${why}`;
  if (status !== 'succeeded') return `${status} (${cause ?? 'unknown'})${returned}`;
  return returned === '' ? status : `${status}${returned} and then made to fit by its worker`;
}

/** The report of an attempt that is being judged. */
export function reportUnderReview(feature: FeatureRow, attempt: number, text: string): WorkerReport {
  return { feature: feature.name, attempt, ended: 'under review', text: cut(text, MAX_REPORT) };
}

/** The attempt that completed the feature, else the newest one that has a report. */
function countingAttempt(state: State, { id, status, commit }: FeatureRow): AttemptRow | undefined {
  const reported = featureAttempts(state, id).filter((row) => (row.summary ?? '').trim() !== '');
  if (status !== 'completed') return reported.at(-1);
  const succeeded = reported.filter((row) => row.status === 'succeeded');
  return succeeded.findLast((row) => row.commit === commit) ?? succeeded.at(-1);
}

/** Earlier attempts at the same feature whose accepted work the attempt builds on: a later attempt started from their commits. */
function acceptedBefore(state: State, last: AttemptRow): AttemptRow[] {
  const starts = new Set([...state.attempts.values()].map((row) => row.base_commit));
  const tried = last.feature_id === null ? [] : featureAttempts(state, last.feature_id);
  return tried.filter(
    ({ id, status, summary, commit }) =>
      id < last.id && status === 'succeeded' && (summary ?? '').trim() !== '' && commit !== null && starts.has(commit),
  );
}

/** The last review of the phase that has a verdict. A running review has no verdict. */
export function earlierReview(state: State, phase: PhaseRow): EarlierReview | null {
  const row = phaseReviews(state, phase.id).findLast(({ verdict }) => verdict !== null);
  return row === undefined || row.verdict === null ? null : { commit: row.base_commit, verdict: row.verdict };
}

/** Causes of an attempt that its reviewer rejected. */
const REJECTED: readonly (string | null)[] = ['review_rejected', 'same_verdict'];

/** The last review that rejected an attempt at the feature. Null if no attempt was rejected. */
export function earlierFeatureReview(state: State, feature: FeatureRow): EarlierReview | null {
  const row = featureAttempts(state, feature.id).findLast(({ cause }) => REJECTED.includes(cause));
  if (row === undefined) return null;
  const feedback = row.feedback ?? '';
  const verdict: Verdict = { verdict: 'REJECTED', reason: '', feedback, reopen: [] };
  return { commit: row.commit ?? row.base_commit, verdict };
}

const cut = (text: string, max: number): string => cutText(text.trim(), max, 'characters of the report');
