/** Labels of statuses, kinds and roles. Unknown values are shown unchanged. */

import type { ApprovalKind } from '../../../../src/shared/approval.ts';
import type { Lane } from '../../../../src/shared/job/place.ts';
import type { AttemptStatus, JobStatus, PhaseStatus } from '../../../../src/shared/job/rows.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT, type ProjectStatus } from '../../../../src/shared/project/projects.ts';
import type { ProjectView } from '../../../../src/shared/project/projectView.ts';
import type { Role, SessionStatus } from '../../../../src/shared/session.ts';
import type { PanelNote } from '../../../../src/shared/workspace/panel.ts';
import { t } from '../../store/l10n.ts';
import { visible, words } from './format.ts';

type Labels<Name extends string> = Readonly<Record<Name, string>>;

const LANES: Labels<Lane> = {
  pending: t('Pending'),
  in_progress: t('In progress'),
  needs_you: t('Needs you'),
  completed: t('Completed'),
  failed: t('Failed'),
};

const JOBS: Labels<JobStatus> = {
  planning: t('Planning'),
  running: t('Running'),
  awaiting_steward: t('Needs your input'),
  paused: t('Paused'),
  waiting: t('Waiting'),
  completed: t('Completed'),
  failed: t('Failed'),
  cancelled: t('Cancelled'),
};

const PROJECTS: Labels<ProjectStatus> = {
  active: t('Active'),
  suspended: t('Suspended'),
  completed: t('Completed'),
  archived: t('Archived'),
};

const DOING: Labels<ProjectView['doing']> = {
  talking: t('Talking'),
  working: t('Working'),
  waiting: t('Waiting'),
  idle: t('Idle'),
  stopped: t('Stopped'),
};

const PHASES: Labels<PhaseStatus> = {
  pending: t('Pending'),
  executing: t('In progress'),
  reviewing: t('In review'),
  completed: t('Completed'),
  failed: t('Failed'),
};

const ATTEMPTS: Labels<AttemptStatus> = {
  running: t('Running'),
  interrupted: t('Interrupted'),
  queued: t('Waits to be merged'),
  succeeded: t('Succeeded'),
  failed: t('Failed'),
  stuck: t('Stuck'),
  blocked: t('Blocked'),
  abandoned: t('Abandoned'),
};

const SESSIONS: Labels<SessionStatus> = {
  running: t('Running'),
  completed: t('Completed'),
  failed: t('Failed'),
};

const ROLES: Labels<Role> = {
  planner: t('Planner'),
  worker: t('Worker'),
  reviewer: t('Reviewer'),
  summarizer: t('Summarizer'),
  project: t('Project'),
  subagent: t('Subagent'),
  main: t('Main agent'),
  task: t('Task'),
};

const KINDS: Labels<ApprovalKind> = {
  dirty_tree: t('Uncommitted work'),
  unmergeable: t('Merge not possible'),
  setup: t('Setup commands'),
  command: t('Command'),
  plan: t('Plan'),
  phase: t('Phase'),
  escalate: t('Review'),
  stuck: t('Question'),
  crashes: t('Crashes'),
  limit: t('Limit'),
  provider: t('Model'),
  merge: t('Merge'),
  pick: t('Results to pick from'),
  conflict: t('Merge conflict'),
  workdir: t('Other repository'),
  definition: t('Edited definition'),
  relay: t('Message'),
  project: t('Project'),
  task: t('Task'),
};

const VERDICTS: Readonly<Record<string, string>> = {
  APPROVED: t('Approved'),
  REJECTED: t('Rejected'),
  ESCALATE: t('Passed on to you'),
};

/** Why an attempt, or a command in it, ended so. */
const CAUSES: Readonly<Record<string, string>> = {
  done: t('done'),
  verify_failed: t('a check failed'),
  too_large: t('a file is too large to commit'),
  no_report: t('no report'),
  loop: t('repeated itself'),
  same_error: t('the same error twice'),
  same_verdict: t('the same verdict twice'),
  empty_diff: t('no change, twice'),
  tool_missing: t('a tool is missing'),
  host_refused: t('a host is not allowed'),
  service_down: t('a service is down'),
  credential_missing: t('a credential is missing'),
  turns: t('too many turns'),
  tokens: t('too many tokens'),
  time: t('out of time'),
  money: t('out of money'),
  attempt_budget: t("over the attempt's budget"),
  timeout: t('timed out'),
  output: t('too much output'),
  processes: t('too many processes'),
  refused: t('refused'),
};

const CHOICES: Readonly<Record<string, string>> = {
  head: t('Start from the last commit'),
  snapshot: t('Start from a snapshot of the tree as it is'),
  merge: t('Merge'),
  retry: t('Try the merge again'),
  branch: t('Leave it on a separate branch'),
  patch: t('Write a patch file'),
  raise: t('Raise Limit'),
  double: t('Double the limit'),
  take_over: t('Take It Over'),
  put_back: t('Put It Back'),
  try_again: t('Try Again'),
};

const known = (labels: Readonly<Record<string, string>>) => (name: string) =>
  Object.hasOwn(labels, name) ? (labels[name] ?? name) : visible(words(name));

export const laneLabel = (lane: Lane): string => LANES[lane];
export const jobLabel = known(JOBS);
export const projectLabel = known(PROJECTS);
export const doingLabel = known(DOING);
export const phaseLabel = known(PHASES);
export const attemptLabel = known(ATTEMPTS);
export const sessionLabel = known(SESSIONS);
export const roleLabel = known(ROLES);

/** The author of a note. */
export function authorLabel({ created_by, created_by_session }: PanelNote): string {
  if (created_by === 'steward') return t('You');
  const author =
    created_by === null ? t('Unknown author') : created_by === 'import' ? t('Imported') : roleLabel(created_by);
  return created_by_session === null ? author : t('{0}, session {1}', author, created_by_session);
}
export const kindLabel = known(KINDS);
export const verdictLabel = known(VERDICTS);
export const causeLabel = known(CAUSES);
const knownChoice = known(CHOICES);

/** For a relayed message, a choice is the name of a project, which may equal any other choice. */
export function choiceLabel(kind: ApprovalKind, choice: string): string {
  if (kind !== 'relay') return knownChoice(choice);
  return choice === 'nobody' ? t('Nobody') : visible(choice);
}

/** The title of a conversation: its project, or the main agent. */
export function conversationName(project: string): string {
  if (project === MAIN_PROJECT) return t('Main agent');
  return project === DEFAULT_PROJECT ? t('Default project') : visible(project);
}
