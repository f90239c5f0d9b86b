/** Views of questions to the steward and of their answers. Pure, so that every surface decides alike. */

import type { ApprovalRow } from '../../shared/approval.ts';
import type { JobRow, PlanRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { planId } from '../state/planId.ts';
import { type About, askedOf } from './about.ts';

/** Pending questions, oldest first. */
export function pendingApprovals(state: State): ApprovalRow[] {
  return [...state.approvals.values()].filter((row) => row.status === 'pending').sort((a, b) => a.id - b.id);
}

/** The job that a question is about. Undefined if the question is about a project, or the job does not exist. */
export function jobAsked(state: State, approval: ApprovalRow): JobRow | undefined {
  return approval.job_id === null ? undefined : state.jobs.get(approval.job_id);
}

/** The subject of a question in a few words: its job's title, its task's name, or its project's. */
export function askedAbout(state: State, approval: ApprovalRow): string {
  const { job_id, task_id, project_id } = approval;
  const task = task_id === null ? undefined : state.tasks.get(task_id);
  return jobAsked(state, approval)?.title ?? task?.name ?? job_id ?? project_id;
}

/** Identifies a question among those of every folder that a window ever shows: in each folder, ids start at 1. */
export function questionKey({ job_id, project_id, id, requested_at }: ApprovalRow): string {
  return `${job_id ?? project_id} ${id} ${requested_at}`;
}

/** The current row of a question. Undefined if the state does not have this question, or it is about another commit. */
export function questionIn(state: State, asked: ApprovalRow): ApprovalRow | undefined {
  const row = state.approvals.get(asked.id);
  return row?.commit === asked.commit && questionKey(row) === questionKey(asked) ? row : undefined;
}

/**
 * Whether an approval needs words. It does if a worker or the planner asked in its own words, because a bare yes would not answer them, and if the
 * approval accepts a result that fails. The engine's own questions of these kinds ("Try it once more?") only need a yes or a no.
 */
export function needsAnswer(asked: Pick<ApprovalRow, 'subject'>): boolean {
  const about = askedOf(asked);
  return about.of === 'plan' ? about.asks : IN_WORDS.includes(about.of);
}

const IN_WORDS: readonly About['of'][] = ['stuck', 'blocked', 'accept'];

/** Whether an added setup command may settle the question: a worker is blocked, a tool is missing, or a result fails. */
export function takesSetup(asked: Pick<ApprovalRow, 'subject'>): boolean {
  const about = askedOf(asked);
  if (about.of === 'gaveUp') return about.cause === 'tool_missing';
  return about.of === 'blocked' || about.of === 'toolMissing' || about.of === 'accept';
}

/** Whether remarks on one question belong to the answer of another: the same question, or its successor after the commit moved. */
export function takesRemarksOf(asked: ApprovalRow, remarked: ApprovalRow): boolean {
  const { job_id, kind, phase_id } = remarked;
  if (job_id !== asked.job_id) return false;
  return remarked.id === asked.id || (remarked.status === 'void' && kind === asked.kind && phase_id === asked.phase_id);
}

/** The choices of a question, the default one first: the merge mode was chosen with the brief. */
export function orderedChoices(state: State, approval: ApprovalRow): readonly string[] {
  const mode = jobAsked(state, approval)?.options.mergeMode;
  if (approval.kind !== 'merge' || mode === undefined || !approval.choices.includes(mode)) return approval.choices;
  return [mode, ...approval.choices.filter((choice) => choice !== mode)];
}

/** The plan that a question asks to carry out. Undefined if the question is about something else. */
export function planAsked(state: State, asked: ApprovalRow): PlanRow | undefined {
  const about = askedOf(asked);
  if (asked.job_id === null || about.of !== 'plan') return undefined;
  return state.plans.get(planId(asked.job_id, about.version));
}

/** The most informative line of a question's detail: the totals of a change if the detail starts with one, or else its first line. */
export function glance(detail: string): string {
  const lines = detail.split('\n').filter((line) => line.trim() !== '');
  const totals = lines[0]?.startsWith(' ') ? lines.find((line) => TOTALS.test(line)) : undefined;
  return (totals ?? lines[0] ?? '').trim();
}

/** Git indents each line of a diffstat by a space. */
const TOTALS = /^ \d+ files? changed/;

export interface ReviewRange {
  readonly jobId: string;
  readonly from: string;
  readonly to: string;
}

/** The range of commits that an answer binds to. Null if the question is about no commit. */
export function reviewRange(state: State, approval: ApprovalRow): ReviewRange | null {
  const job = jobAsked(state, approval);
  if (job === undefined || approval.commit === null || job.baseline === null) return null;
  const phase = approval.phase_id === null ? undefined : state.phases.get(approval.phase_id);
  return { jobId: job.id, from: phase?.base_commit ?? job.baseline, to: approval.commit };
}

/** Sorts paths that would run on the user's machine first, the rest by name. */
export function reviewOrder(paths: readonly string[], executables: readonly string[]): string[] {
  const first = new Set(executables);
  const byName = [...paths].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return [...byName.filter((path) => first.has(path)), ...byName.filter((path) => !first.has(path))];
}

/** A remark written in the review. */
export interface Remark {
  readonly path: string;
  /** Counts from 1. Null for a remark on the whole file. */
  readonly line: number | null;
  readonly text: string;
}

/** A rejection's feedback: the words, then each remark with its position. Empty if there are none. */
export function rejectionFeedback(words: string, remarks: readonly Remark[]): string {
  const places = remarks
    .filter((remark) => remark.text.trim() !== '')
    .map(
      ({ path, line, text }) => `- ${path}${line === null ? '' : `:${line}`}: ${text.trim().replaceAll('\n', '\n  ')}`,
    );
  return [words.trim(), places.join('\n')].filter((part) => part !== '').join('\n\n');
}
