/** Formats a question to the steward, and the commands that answer it. */

import { askedOf } from '../../core/approval/about.ts';
import { refusalOf } from '../../core/approval/refusals.ts';
import { needsAnswer, takesSetup } from '../../core/approval/stewardship.ts';
import { openAttempt } from '../../core/state/rows.ts';
import type { ApprovalKind, ApprovalRow, Refusal } from '../../shared/approval.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { candidatesText } from '../agent/candidates.ts';
import { setupHint } from '../screen/baseline.ts';
import { type Context, columns, command } from '../screen/context.ts';
import { indented, visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';

const DETAIL_LINES = 200;
/** Questions whose details are a report. The exact text of a command or a folder matters. */
const REPORTS: readonly ApprovalKind[] = ['merge', 'phase', 'escalate'];

/** Returns the first choice; for a merge, the mode chosen with the brief; for candidate results null, because a person compares them. */
export function defaultChoice(approval: ApprovalRow, job: JobRow | undefined): string | null {
  if (approval.kind === 'pick') return null;
  const mergeMode = job?.options.mergeMode;
  if (approval.kind === 'merge' && mergeMode !== undefined && approval.choices.includes(mergeMode)) return mergeMode;
  return approval.choices[0] ?? null;
}

/** The question with all facts for a decision. `state` is used to look up candidate results. A long detail is cut unless `isWhole`. */
export function approvalText(
  context: Context,
  approval: ApprovalRow,
  job: JobRow | undefined,
  state: State | null = null,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): string {
  const lines = [
    context.paint(`Question ${approval.id} (${approval.kind}): ${visibleLine(approval.question)}`, 'strong'),
    ...featureLine(approval, state),
    ...(approval.kind === 'pick' && state !== null
      ? candidatesText(context, state, approval)
      : detailLines(context, approval, isWhole)),
  ];
  if (approval.choices.length > 0) lines.push(`  Choices: ${choicesText(approval, job)}`);
  if (approval.executables.length > 0) lines.push(...executableLines(context, approval.executables));
  return lines.join('\n');
}

/** Names the feature of the question, unless the question does. */
function featureLine({ feature_id, question }: ApprovalRow, state: State | null): string[] {
  const name = feature_id === null ? undefined : state?.features.get(feature_id)?.name;
  return name === undefined || question.includes(name) ? [] : [`  Feature ${feature_id}: ${visibleLine(name)}`];
}

function detailLines(context: Context, { kind, detail }: ApprovalRow, isWhole: boolean): string[] {
  if (detail.trim() === '') return [];
  const text = indented(detail);
  const lines = (REPORTS.includes(kind) ? wrap(text, columns(context)) : text).split('\n');
  const more = isWhole ? 0 : lines.length - DETAIL_LINES;
  if (more <= 0) return lines;
  return [...lines.slice(0, DETAIL_LINES), `  … ${more} more lines: ${command(context, 'approvals')}`];
}

function choicesText(approval: ApprovalRow, job: JobRow | undefined): string {
  const standard = defaultChoice(approval, job);
  return approval.choices.map((choice) => visibleLine(choice) + (choice === standard ? ' (default)' : '')).join(', ');
}

/** The job, task or project of the question. */
export function aboutText(state: State, { job_id, task_id, project_id }: ApprovalRow): string {
  if (job_id !== null) return `Job:      ${job_id}`;
  if (task_id === null) return `Project:  ${visibleLine(project_id)}`;
  return `Task:     ${task_id} (${visibleLine(state.tasks.get(task_id)?.name ?? '')})`;
}

/** Paths that would execute on the user's machine: never shown in passing. */
export function executableLines(context: Context, paths: readonly string[]): string[] {
  return [
    context.paint('  WARNING: after the merge these files would execute on your machine:', 'warning'),
    ...paths.map((path) => `    ${visibleLine(path)}`),
  ];
}

/** The option with the words of a yes, in brackets if the question can do without. */
function answerOption(approval: ApprovalRow): string {
  if (needsAnswer(approval)) return ' --answer "…"';
  return approval.kind === 'stuck' || approval.kind === 'task' ? ' [--answer "…"]' : '';
}

/** Whether an installed agent cannot work, so that another one may be chosen. */
function isOfAgent(asked: ApprovalRow): boolean {
  const about = askedOf(asked);
  return about.of === 'failure' && asked.job_id !== null && about.code.startsWith('AGENT_');
}

/** The command that chooses another agent: for the feature alone if it has its own executors, because the job's do not count then. */
function another({ job_id }: ApprovalRow, state: State): string {
  const attempt = job_id === null ? undefined : openAttempt(state, job_id);
  const feature = attempt?.feature_id == null ? undefined : state.features.get(attempt.feature_id);
  if (feature?.executors == null) return `run --resume ${job_id} --executor NAME`;
  return `agents choose ${feature.id} NAME…`;
}

/** The effect of a rejection, as the end of a line and as a sentence. */
export const REFUSED = {
  ends: 'ends the job',
  pauses: 'pauses the job; its work is kept',
  fails: 'marks the feature as failed; the job continues with the others',
  drops: "ends this agent's attempt; the other agents' results and attempts stay",
  skips: 'runs no setup commands; the job continues',
} as const satisfies Record<NonNullable<Refusal>, string>;

/** e.g. `   (ends the job)`; empty if the job continues. */
export function refusedText(state: State, approval: ApprovalRow): string {
  const refusal = refusalOf(state, approval);
  return refusal === null ? '' : `   (${REFUSED[refusal]})`;
}

/** Commands that answer a question, with the effect of a rejection. */
export function howToAnswer(context: Context, approval: ApprovalRow, state: State): string {
  const choice = approval.kind === 'pick' ? ' --choice ATTEMPT' : approval.choices.length > 0 ? ' [--choice C]' : '';
  const answer = answerOption(approval);
  const { job_id } = approval;
  const isOfCommit = job_id !== null && approval.commit !== null;
  return [
    ...(isOfCommit ? [`  Diff:     ${command(context, `job diff ${job_id}`)}`] : []),
    `  Approve:  ${command(context, `approve ${approval.id}${choice}${answer}`)}`,
    ...(job_id !== null && takesSetup(approval) ? [`  Install:  ${setupHint(context, job_id)}`] : []),
    ...(isOfAgent(approval) ? [`  Another:  ${command(context, another(approval, state))}`] : []),
    `  Reject:   ${command(context, `reject ${approval.id} --feedback "…"`)}${refusedText(state, approval)}`,
  ].join('\n');
}

type Given = Pick<ApprovalRow, 'choice' | 'feedback'> & { readonly decision: 'approved' | 'rejected' };

/** The question with its answer. A worker's question is shown as answered: `Approved` makes no sense after an "or". */
export function decidedText({ kind, question }: ApprovalRow, { decision, choice, feedback }: Given): string {
  const isAnswered = kind === 'stuck' && feedback !== null;
  const word = decision === 'rejected' ? 'Rejected' : isAnswered ? 'Answered' : 'Approved';
  const given = [choice, feedback].filter((text) => text !== null).map(visibleLine);
  return [`${word}: ${visibleLine(question)}`, ...given.map((text) => `  -> ${text}`)].join('\n');
}

/** Kinds of executable files, in the order in which a person should review them. */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['Git hooks', /(^|\/)(\.husky|\.githooks|hooks)\/|(^|\/)(lefthook|\.pre-commit-config)\b/],
  ['Workflows', /(^|\/)(\.github|\.gitlab|\.circleci|\.buildkite)\/|(^|\/)(\.gitlab-ci|azure-pipelines|Jenkinsfile)/],
  ['Editor and agent settings', /(^|\/)\.(vscode|idea|claude|cursor|devcontainer|mcp)\b|(^|\/)(AGENTS|CLAUDE)\.md$/],
  [
    'Package and build scripts',
    /(^|\/)(package\.json|\.npmrc|Makefile|GNUmakefile|build\.rs|setup\.py|\w+\.config\.\w+)$/,
  ],
];

export interface ExecutableGroup {
  readonly title: string;
  readonly paths: readonly string[];
}

/** One list for each kind of file, so that each can be reviewed and confirmed separately. */
export function executableGroups(paths: readonly string[]): ExecutableGroup[] {
  const groupOf = (path: string): string => GROUPS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'Other files';
  const byTitle = Map.groupBy(paths, groupOf);
  return [...GROUPS.map(([title]) => title), 'Other files'].flatMap((title) => {
    const group = byTitle.get(title);
    return group === undefined ? [] : [{ title, paths: group }];
  });
}
