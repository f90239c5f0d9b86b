/** Writes the report of a task as Markdown, for people and for models: its goal, the result of each step, and open questions. */
import { minuteText } from '../../../shared/clock.ts';
import type { Eta, StepView, TaskDetails, TaskReport } from '../../../shared/task/taskApi.ts';
import type { Json } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { isNothing, spentText } from '../../money/view/spent.ts';
import { taskDetails } from './tasks.ts';

/** Characters of all results together, of one at most, and of one at least. */
const RESULTS = 48_000;
const LONGEST = 4_000;
const SHORTEST = 200;

/** Throws NOT_FOUND. */
export function taskReport(state: State, taskId: string, nowMs: number): TaskReport {
  const task = taskDetails(state, taskId, nowMs);
  const artifacts = new Map(
    task.steps.flatMap(({ id }) => {
      const name = state.task_steps.get(id)?.result_artifact ?? null;
      return name === null ? [] : [[id, name] as const];
    }),
  );
  const withResult = task.steps.filter((step) => step.result !== null).length;
  const most = Math.max(SHORTEST, Math.min(LONGEST, Math.floor(RESULTS / Math.max(1, withResult))));
  const parts = [
    `# ${line(task.name)}`,
    facts(task),
    section('Objective', task.objective),
    section('Description', task.description),
    questions(task),
    section('Summary', task.summary ?? ''),
    task.summary === null ? section('Last checkpoint', task.lastCheckpointSummary ?? '') : '',
    failures(task),
    task.steps.length === 0
      ? 'It has no steps yet.'
      : `## Steps\n\n${task.steps.map((step) => stepPart(step, artifacts.get(step.id), most)).join('\n\n')}`,
  ];
  return { taskId, status: task.status, report: `${parts.filter((part) => part !== '').join('\n\n')}\n` };
}

const section = (title: string, text: string): string => (text.trim() === '' ? '' : `## ${title}\n\n${text.trim()}`);

/** Text of others in one line. */
const line = (text: string): string => text.replace(/\s+/g, ' ').trim();

const money = (usd: number, simulated: boolean): string =>
  `$${usd < 0.01 && usd > 0 ? usd.toFixed(6) : usd.toFixed(2)}${simulated ? ' (simulated)' : ''}`;

function facts(task: TaskDetails): string {
  const budget = task.budgetUsd === null ? '' : ` of at most ${money(task.budgetUsd, false)}`;
  const rows: (readonly [string, string])[] = [
    ['Task', task.id],
    ['Status', task.reason === null ? task.status : `${task.status}: ${line(task.reason)}`],
    ['Progress', `${task.percent} % (${task.stepsDone} of ${task.stepsTotal} steps)`],
    ['Running now', task.current.join(', ')],
    ['Elapsed', task.startedAt === null ? 'not started' : duration(task.elapsedMs)],
    ['Remaining', task.endedAt === null ? remaining(task.eta) : ''],
    ['Cost', money(task.costUsd, task.simulated) + budget],
    ['Reserved', task.reservedUsd === 0 ? '' : `up to ${money(task.reservedUsd, task.simulated)} for calls in flight`],
    ['Unsettled', task.unsettledUsd === 0 ? '' : `up to ${money(task.unsettledUsd, task.simulated)} perhaps billed`],
  ];
  return rows.flatMap(([name, value]) => (value === '' ? [] : [`- ${name}: ${value}`])).join('\n');
}

const remaining = ({ remainingMs, source }: Eta): string =>
  remainingMs === null
    ? 'unknown'
    : `about ${duration(remainingMs)}${source === 'estimate' ? ' (by its estimate)' : ''}`;

/** Formats the two largest units: `2 h 5 min`. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const first = units.findIndex(([size]) => seconds >= size);
  if (first < 0) return '0 s';
  const shown = units.slice(first, first + 2).map(([size, unit], index) => {
    const above = units[first + index - 1]?.[0];
    const rest = index === 0 || above === undefined ? seconds : seconds % above;
    return [Math.floor(rest / size), unit] as const;
  });
  return shown.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

function questions(task: TaskDetails): string {
  const open = task.questions.map(({ id, kind, question }) => `- Question ${id} (${kind}): ${line(question)}`);
  return open.length === 0 ? '' : `## Waiting for the steward\n\n${open.join('\n')}`;
}

function failures(task: TaskDetails): string {
  const failed = task.steps.filter(({ status }) => status === 'FAILED');
  const lines = failed.map((step) => `- ${step.number}. ${step.name}: ${line(step.error ?? 'no reason is known')}`);
  return lines.length === 0 ? '' : `## What failed\n\n${lines.join('\n')}`;
}

function stepPart(step: StepView, artifact: string | undefined, most: number): string {
  const said = [
    step.action,
    step.status,
    step.durationMs === null ? '' : duration(step.durationMs),
    isNothing(step) ? '' : spentText(step, (usd) => money(usd, false)),
    step.tries === 0 ? '' : `${step.tries} failed ${step.tries === 1 ? 'try' : 'tries'}`,
    step.status === 'RUNNING' && step.wakeAt !== null ? `resumes at ${minuteText(step.wakeAt)} UTC` : '',
    step.status === 'PENDING' && step.needs.length > 0 ? `after ${step.needs.join(', ')}` : '',
    step.jobId === null ? '' : `job ${step.jobId}`,
    step.questionId === null ? '' : `waiting for question ${step.questionId}`,
  ];
  const head = `### ${step.number}. ${step.name}\n\n${said.filter((text) => text !== '').join(' · ')}`;
  const error = step.error === null ? '' : `\n\nError: ${line(step.error)}`;
  return head + error + resultPart(step, artifact, most);
}

function resultPart(step: StepView, artifact: string | undefined, most: number): string {
  if (artifact !== undefined) {
    return `\n\nResult: ${step.resultBytes} bytes of JSON, too long for here: the whole is in .autonomous/artifacts/${artifact}`;
  }
  if (step.result === null) return '';
  if (step.result === '') return '\n\nResult: an empty text.';
  const isText = typeof step.result === 'string';
  const text = isText ? String(step.result) : JSON.stringify(step.result as Json, null, 2);
  const shown = text.length > most ? text.slice(0, most) : text;
  const left = text.length - shown.length;
  const more =
    left === 0 ? '' : `\n\n(${left} more characters: the task's details have the whole result of step ${step.number})`;
  return `\n\n${fenced(shown, isText ? '' : 'json')}${more}`;
}

/** No text ends its own fence. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
