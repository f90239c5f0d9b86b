/** Formats the events that matter to a person, one line each. */

import { takenFailure, takenText } from '../../../core/job/gate/acceptResult.ts';
import { todoText } from '../../../core/job/history/todo.ts';
import { gainedWords } from '../../../core/job/result/baseMerges.ts';
import { returnText } from '../../../core/job/result/returnsText.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { noteAuthor } from '../../../core/note/notes.ts';
import { need } from '../../../core/state/rows.ts';
import type { SetupRemoved } from '../../../shared/job/rows.ts';
import { todoProgress } from '../../../shared/job/todo.ts';
import type { Event, EventOf, EventType } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { executorsText } from '../../text/executors.ts';
import { plural } from '../../text/format.ts';
import type { Line } from '../../text/paint.ts';
import { routeLine } from '../../text/route.ts';
import { visibleLine } from '../../text/visible.ts';
import { baselineLines, setupHint } from '../baseline.ts';
import type { Context } from '../context.ts';
import { attemptOf, byWhom, featureName, laneText, phaseName, planningText } from './eventNames.ts';
import { taskFormatters } from './taskLines.ts';

/** `state` is after the event. */
type EventFormatter<T extends EventType> = (event: EventOf<T>, state: State, context: Context) => Line | null;

const plain = (text: string): Line => ({ text, tone: 'plain' });
const faint = (text: string): Line => ({ text, tone: 'faint' });
const good = (text: string): Line => ({ text, tone: 'good' });
const bad = (text: string): Line => ({ text, tone: 'bad' });
const warning = (text: string): Line => ({ text, tone: 'warning' });

const short = (commit: string): string => commit.slice(0, 9);
const why = (text: string | null): string => (text === null || text.trim() === '' ? '' : `: ${visibleLine(text)}`);
const PERSON = {
  steward: 'the steward',
  yes_flag: '--yes',
  demo: 'the demo',
  engine: 'no gate',
  agent: 'an agent',
  main: 'the main agent',
  schedule: 'its schedule',
  api: 'a program at the API',
} as const;

function foldedText({ folded }: EventOf<'result_verified'>): string {
  if (folded == null) return '';
  const rewritten = new Map(folded.moved.map(({ from, to }) => [from, to]));
  const count = rewritten.size - new Set(rewritten.values()).size;
  const done = count === 0 ? '' : `; ${plural(count, 'fix', 'fixes')} folded into the commits of features`;
  return folded.apart.length === 0 ? done : `${done}. ${folded.apart.map(visibleLine).join(' ')}`;
}

/** The number of commits that the base gained, and the first subjects. Empty if unknown. */
function gainedText(gained: EventOf<'base_merged'>['gained']): string {
  return gained == null ? '' : visibleLine(`: ${gainedWords(gained)}`);
}

function removedText({ paths, more }: SetupRemoved): string {
  const names = `${paths.map(visibleLine).join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
  return [
    `  The setup made or changed files that git does not ignore, and they were removed again: ${names}`,
    '  To keep them, list them in .gitignore (or commit them, as a lock file), and file the job again.',
  ].join('\n');
}

function attemptEnded(event: EventOf<'attempt_ended'>, state: State): Line | null {
  const attempt = need(state, 'attempts', event.id);
  if (attempt.feature_id === null)
    return event.status === 'failed' ? warning(`Review gave no verdict (${event.cause})`) : null;
  const name = featureName(state, attempt.feature_id);
  const { status, retry_count, failure_reason, candidates } = need(state, 'features', attempt.feature_id);
  if (candidates.includes(event.id)) {
    const how = event.status === 'succeeded' ? 'passed' : `${event.status} (${event.cause})`;
    return plain(`Attempt ${attempt.number} at ${name}${byWhom(state, attempt)} ${how} (candidate)`);
  }
  if (event.status === 'succeeded') {
    const passed = event.evidence.length === 0 ? '' : `, ${plural(event.evidence.length, 'command')} passed`;
    return good(`Completed ${name} (attempt ${attempt.number}${passed})`);
  }
  if (event.status !== 'failed')
    return warning(`Attempt ${attempt.number} at ${name} is ${event.status}${whyNotDone(event)}`);
  const failing = event.evidence.find((each) => each.exitCode !== 0);
  const what = failing === undefined ? event.cause : `${event.cause}: ${visibleLine(failing.command)}`;
  const next =
    status === 'failed'
      ? `FAILED, ${visibleLine(failure_reason ?? '')}`
      : `retry ${retry_count}/${need(state, 'jobs', event.job_id).options.maxRetries}${event.approval === null ? '' : ', when you say so'}`;
  return bad(`Attempt ${attempt.number} at ${name} failed (${what}) -> ${next}`);
}

/** The question that the attempt asks shows the summary itself. */
function whyNotDone({ approval, summary }: EventOf<'attempt_ended'>): string {
  const isShown = approval !== null && approval.detail.trim() === summary?.trim();
  return isShown ? `: see question ${approval.id}` : why(summary);
}

const silent = () => null;

/** The first words of a message: other verbs print the whole text. */
const words = (text: string): string => {
  const line = visibleLine(text);
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
};

function messageSent(event: EventOf<'message_sent'>, state: State): Line {
  const { direction, project_id: project, sender, concerns, relayed_from: relayed, text } = event.message;
  if (direction === 'out') {
    return plain(`${project}${concerns === null ? '' : ` (concerns ${visibleLine(concerns)})`}: ${words(text)}`);
  }
  const origin = relayed === null ? undefined : state.messages.get(relayed)?.project_id;
  const from = { ...PERSON, project: 'a project', heartbeat: 'its heartbeat', engine: 'the engine', task: 'a task' }[
    sender
  ];
  return faint(`${origin ?? from} -> ${project}: ${words(text)}`);
}

/** Has every type: a new one is a type error until its line is decided. */
const FORMATTERS: { readonly [T in EventType]: EventFormatter<T> } = {
  owner_started: silent,
  limits_set: silent,
  job_selected: silent,
  project_created: (event) => plain(`Project ${event.project.id} created`),
  project_defined: (event) => faint(`Project ${event.project_id} redefined (${PERSON[event.by]})`),
  project_suspended: (event) => warning(`Project ${event.project_id} suspended${why(event.reason)}`),
  project_resumed: (event) => plain(`Project ${event.project_id} resumed`),
  project_completed: (event) => good(`Project ${event.project_id} completed${why(event.reason)}`),
  project_archived: (event) => plain(`Project ${event.project_id} archived`),
  project_parked: (event) => bad(`Project ${event.project_id} is parked${why(event.reason)}`),
  turn_ended: ({ by, project_id }) =>
    by === 'agent' || by === 'engine' ? null : warning(`Turn of ${project_id} stopped`),
  project_unparked: (event) => plain(`Project ${event.project_id} is running again`),
  message_sent: messageSent,
  messages_read: silent,
  state_restored: ({ found, known, source }) =>
    plain(
      `Restored the state: events ${found + 1} to ${known} were lost${source === null ? '' : `; copy of the database: ${visibleLine(source)}`}`,
    ),
  record_imported: (event) => plain(`Took in an export: ${plural(event.rows.jobs.length, 'job')}`),
  imported: (event) => plain(`Took in ${plural(event.features.length, 'feature')} of an old database`),

  result_verified: (event) =>
    event.feedback === null
      ? plain(`The result passes every verify command of the plan${foldedText(event)}`)
      : bad('Verification of the result failed: rerunning the last phase'),
  result_accepted: (event, state) =>
    warning(
      `The result is taken although it fails: ${visibleLine(need(state, 'approvals', event.approval_id).feedback ?? '')}`,
    ),
  merge_begun: silent,
  merge_ended: silent,
  result_merged: (event) => plain(`The result is in ${visibleLine(event.merge.target)}`),
  brief_submitted: silent,
  clone_made: (event) =>
    plain(
      `Cloned at ${short(event.baseline)} (${visibleLine(event.base_branch ?? 'detached HEAD')}${event.snapshot ? ', with a snapshot of the uncommitted work' : ''})`,
    ),
  clone_lost: () => warning('The clone is missing: restoring it from the commits and checkpoints of the job'),
  setup_finished: (event, _state, context) => {
    if (event.gap !== undefined) {
      const { manifest, command } = event.gap;
      return warning(
        `No setup command runs: ${visibleLine(manifest)} names dependencies, and there is no lock file. To install them: ${setupHint(context, event.job_id, command)}`,
      );
    }
    if (event.evidence.length === 0) return null;
    const ran = `Ran ${plural(event.evidence.length, 'setup command')}`;
    return event.removed === undefined ? plain(ran) : warning(`${ran}\n${removedText(event.removed)}`);
  },
  baseline_checked: ({ job_id, evidence, skipped }, _state, context) => {
    if (skipped !== null) return faint(`The verify commands did not run before the work: ${visibleLine(skipped)}`);
    const lines = baselineLines(context, job_id, evidence);
    return evidence.every(hasPassed) ? plain(lines) : warning(lines);
  },
  setup_added: (event) => plain(`Added a setup command: ${visibleLine(event.command)}`),
  plan_proposed: (event) => {
    const features = event.plan.phases.reduce((sum, phase) => sum + phase.features.length, 0);
    const phases = plural(event.plan.phases.length, 'phase');
    return plain(
      `Plan ${event.plan_version}: ${visibleLine(event.plan.title)} (${phases}, ${plural(features, 'feature')})`,
    );
  },
  plan_refused: (event) => warning(`Plan refused by the ${event.by}${why(event.feedback)}`),
  plan_accepted: (event) => plain(`Plan ${event.plan_version} accepted (${PERSON[event.by]})`),
  // A separate line reports a wait: see waits.ts.
  job_waiting: silent,
  job_woken: silent,
  job_awaiting: (event) => warning(`Waiting for the steward${why(event.reason)}`),
  job_continued: silent,
  job_paused: (event) => warning(`Paused${why(event.reason)}`),
  job_resumed: () => plain('Resumed'),
  job_cancelled: (event) => bad(`Cancelled${why(event.reason)}`),
  job_failed: (event) => bad(`Job failed${why(event.reason)}`),
  job_options_changed: ({ job_id, budgetMicroUsd, attemptMicroUsd, unpricedLimits, executors, lanes }, state) => {
    if (lanes !== undefined)
      return plain(`Lanes of the job: ${lanes}. A lane above that number ends after its attempt`);
    if (executors !== undefined) {
      return plain(`Agents changed to ${executorsText(need(state, 'jobs', job_id).options.executors ?? {})}`);
    }
    if (unpricedLimits !== undefined) {
      return plain(`The job may use ${unpricedLimits.calls} calls and ${unpricedLimits.tokens} tokens`);
    }
    if (attemptMicroUsd !== undefined) return plain('The budget of each attempt was changed');
    return budgetMicroUsd === undefined ? null : plain('The budget of the job was changed');
  },
  base_merged: (event) => plain(`Merged the moved base ${short(event.baseline)}${gainedText(event.gained)}`),
  merge_refused: (event) => warning(`Merge refused${why(event.feedback)}`),
  job_completed: ({ job_id }, state) => {
    const taken = takenFailure(state, need(state, 'jobs', job_id));
    return taken === null ? good('Job completed') : warning(`Job completed. ${visibleLine(takenText(taken))}`);
  },
  job_rolled_back: (event) => warning(`Rolled back by ${short(event.commit)}`),

  phase_started: (event, state) => {
    const { attempt } = need(state, 'phases', event.phase_id);
    return {
      text: `Begin ${phaseName(state, event.phase_id)}${attempt > 1 ? ` (attempt ${attempt})` : ''}`,
      tone: 'strong',
    };
  },
  phase_summarized: silent,
  phase_reviewing: (event, state) => plain(`Review of ${phaseName(state, event.phase_id)}`),
  phase_approved: (event, state) =>
    good(`Approved ${phaseName(state, event.phase_id)} (by the ${event.by})${why(event.reason)}`),
  phase_rejected: (event, state) => {
    const { status, attempt } = need(state, 'phases', event.phase_id);
    const next = status === 'failed' ? 'the phase FAILED' : `attempt ${attempt}`;
    return bad(`Rejected ${phaseName(state, event.phase_id)} (by the ${event.by}) -> ${next}${why(event.feedback)}`);
  },

  session_started: (event) => (event.role === 'planner' ? plain(planningText(event)) : null),
  session_ended: (event) =>
    event.session.status === 'failed' ? warning(`A session gave no answer${why(event.session.error_message)}`) : null,
  attempt_started: (event, state) => {
    if (event.feature_id === null) return null;
    const route = event.route === undefined ? '' : `, ${visibleLine(routeLine(event.route))}`;
    return faint(`Begin ${attemptOf(state, event.id)}${laneText(state, event)}${route}`);
  },
  attempt_interrupted: (event, state) => warning(`Interrupted (${event.cause}): ${attemptOf(state, event.id)}`),
  attempt_resumed: (event, state) => plain(`Resumed ${attemptOf(state, event.id)}`),
  attempt_queued: (event, state) => plain(`Queued to be merged: ${attemptOf(state, event.id)}`),
  attempt_returned: (event, state) =>
    warning(`Sent back (${visibleLine(returnText(event))}): ${attemptOf(state, event.id)}`),
  attempt_todo_set: (event) => {
    const progress = todoProgress(event.items);
    return progress === null ? null : faint(`To do ${visibleLine(todoText(progress))}`);
  },
  attempt_ended: attemptEnded,

  feature_set: (event, state) => plain(`Set ${featureName(state, event.id)} to ${event.status} (${PERSON[event.by]})`),
  feature_retried: (event, state) => plain(`Retry of ${featureName(state, event.id)} (${PERSON[event.by]})`),
  feature_reordered: silent,
  feature_executors_chosen: (event, state) =>
    plain(
      `${featureName(state, event.id)} goes to ${event.executors?.map(visibleLine).join(', ') ?? "the job's agents"}`,
    ),
  candidate_picked: (event, state) =>
    event.attempt_id === null
      ? warning(`No candidate picked: ${featureName(state, event.id)}${why(event.feedback)}`)
      : good(`Picked attempt ${event.attempt_id} for ${featureName(state, event.id)} (${PERSON[event.by]})`),
  note_added: (event, state) => {
    const note = need(state, 'notes', event.note.id);
    return faint(`Note by ${noteAuthor(note)}: ${visibleLine(note.content)}`);
  },
  note_resolved: silent,

  approval_requested: silent,
  approval_decided: (event, state) => {
    const { kind, question } = need(state, 'approvals', event.id);
    const choice = event.choice === null ? '' : `, ${visibleLine(event.choice)}`;
    const answer = event.feedback === null ? '' : ` ${visibleLine(event.feedback)}`;
    const text = `${event.decision === 'approved' ? 'Approved' : 'Rejected'} by ${PERSON[event.by]} (${kind}${choice}): ${visibleLine(question)}${answer}`;
    return plain(text);
  },
  rule_created: ({ rule }) => plain(`Created rule ${rule.id}: ${visibleLine(rule.text)}`),
  rule_revoked: ({ id }) => plain(`Revoked rule ${id}`),
  rule_used: ({ rule_id, approval }, state) =>
    plain(
      `Approved by rule ${rule_id} (${approval.kind}): ${visibleLine(approval.question)} The rule: ${visibleLine(need(state, 'rules', rule_id).text)}`,
    ),
  approval_voided: (event) => warning(`Question ${event.id} is void${why(event.reason)}`),

  call_reserved: silent,
  call_settled: silent,
  call_released: silent,
  call_unsettled: (event) => warning(`Call ${event.id} was perhaps billed${why(event.reason)}`),
  call_adjusted: silent,
  wait_begun: silent,
  wait_ended: silent,
  tried_now: () => plain('Trying now'),
  ...taskFormatters,
};

/** The line that a person is shown. Null if the event is not shown. `state` is after the event. */
export function eventLine(event: Event, state: State, context: Context): Line | null {
  const formatter = FORMATTERS[event.type] as EventFormatter<EventType>;
  return formatter(event, state, context);
}
