/** Writes an export as Markdown for people, from the rows alone. */

import type { ApprovalRow } from '../../shared/approval.ts';
import type { AttemptRow, FeatureRow, JobRow } from '../../shared/job/rows.ts';
import type { ProjectRow } from '../../shared/project/projects.ts';
import { hasPassed, originText } from '../job/view/freshRun.ts';
import { spentBy, spentText } from '../money/view/spent.ts';
import { noteAuthor } from '../note/notes.ts';
import { countedMicroUsd } from '../state/rows.ts';
import { fenced } from '../text/fenced.ts';
import type { RecordRows } from './rows.ts';

const line = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const usd = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(6)}`;
const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
const block = (title: string, text: string | null): string =>
  text === null || text.trim() === '' ? '' : `${title}\n\n${text}`;
const joined = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

/** Sum of the calls' cost, at the worst case if the end of a call was lost. */
function cost(rows: RecordRows, of: (spend: RecordRows['spends'][number]) => boolean): string {
  return spentText(spentBy(rows.spends.filter(of)), (amount) => usd(amount * 1_000_000));
}

export function indexText(rows: RecordRows): string {
  return joined([
    '# Exported from Autonomous',
    'Plans, questions, answers, work and costs, as Markdown to read, and below `state/` as JSON. `manifest.json` names every file with its SHA-256. Work that was running is written as ended.',
    block(
      '## Jobs',
      list(
        rows.jobs.map(
          (job) =>
            `[${job.id}](jobs/${job.id}.md) ${job.status}, ${cost(rows, (row) => row.job_id === job.id)}: ${line(job.title)}`,
        ),
      ),
    ),
    block('## Projects', list(projectsIn(rows).map((id) => `[${id}](projects/${id}.md)`))),
    block(
      '## Tasks',
      list(rows.tasks.map((task) => `[${task.id}](tasks/${task.id}.md) ${task.status}: ${line(task.name)}`)),
    ),
    block(
      '## Notes of no feature',
      list(
        rows.notes
          .filter((row) => row.feature_id === null)
          .map((row) => `${row.category ?? 'for all'}, by ${noteAuthor(row)}: ${line(row.content)}`),
      ),
    ),
    `In all ${cost(rows, () => true)}.`,
  ]);
}

/** Projects that have a row or messages. */
export function projectsIn(rows: RecordRows): string[] {
  return [...new Set([...rows.projects.map(({ id }) => id), ...rows.messages.map((row) => row.project_id)])].sort();
}

export function projectText(rows: RecordRows, id: string): string {
  const project: ProjectRow | undefined = rows.projects.find((row) => row.id === id);
  const messages = rows.messages.filter((row) => row.project_id === id);
  return joined([
    `# Project ${id}`,
    block('## Definition', project === undefined ? null : fenced(project.body)),
    block(
      '## Messages',
      messages
        .map(
          (row) =>
            `### ${row.at} ${row.direction === 'in' ? 'to it' : 'from it'}, ${row.sender}\n\n${fenced(row.text)}`,
        )
        .join('\n\n'),
    ),
    block(
      '## Tasks',
      list(rows.tasks.filter((row) => row.project_id === id).map((row) => `[${row.id}](../tasks/${row.id}.md)`)),
    ),
  ]);
}

export function jobText(rows: RecordRows, job: JobRow): string {
  const phases = rows.phases.filter((row) => row.job_id === job.id).sort((a, b) => a.number - b.number);
  const loose = rows.features.filter((row) => row.job_id === job.id && row.phase_id === null);
  return joined([
    `# ${line(job.title)}`,
    list([
      `Job: ${job.id}, project ${job.project_id}`,
      `Status: ${job.status}${job.reason === null ? '' : `: ${line(job.reason)}`}`,
      `From ${job.created_at}${job.ended_at === null ? '' : ` to ${job.ended_at}`}`,
      `Baseline ${job.baseline ?? 'none'}, branch ${job.branch}, head ${job.head ?? 'none'}`,
      `Result: ${job.merge === null ? 'not merged' : `${job.merge.mode} ${line(job.merge.target)} ${job.merge.commit ?? ''}`.trim()}`,
      ...failedChecks(job),
      `Cost: ${cost(rows, (row) => row.job_id === job.id)}`,
    ]),
    block('## Brief', fenced(job.brief)),
    ...rows.plans
      .filter((row) => row.job_id === job.id)
      .map((row) =>
        block(`## Plan ${row.version}, by the ${row.by}, ${row.at}`, fenced(JSON.stringify(row.plan, null, 2), 'json')),
      ),
    ...phases.map((phase) =>
      joined([
        `## Phase ${phase.number}: ${line(phase.title)}`,
        `${phase.status}, ${phase.attempt} times through. ${line(phase.objective)}`,
        block('Summary:', phase.summary === null ? null : fenced(phase.summary)),
        ...rows.features.filter((row) => row.phase_id === phase.id).map((row) => featureText(rows, row)),
        ...rows.attempts
          .filter((row) => row.phase_id === phase.id && row.feature_id === null)
          .map((row) => attemptText(rows, row)),
      ]).trim(),
    ),
    ...loose.map((row) => featureText(rows, row)),
    block('## Decisions', decisions(rows, job)),
    block('## Calls', calls(rows, job)),
  ]);
}

/** The verify commands that failed when they last ran on the result. Whether the steward took it is among the decisions. */
function failedChecks({ result_checks: checks }: JobRow): string[] {
  const failed = (checks?.evidence ?? []).filter((one) => !hasPassed(one));
  const names = failed.map(({ command }) => `\`${line(command)}\``).join(', ');
  return checks === null || failed.length === 0 ? [] : [`Verify: ${names} failed on the result at ${checks.commit}`];
}

function featureText(rows: RecordRows, feature: FeatureRow): string {
  return joined([
    `### Feature ${feature.id}: ${line(feature.name)}`,
    `${feature.status}${feature.failure_reason === null ? '' : `: ${line(feature.failure_reason)}`}, ${feature.retry_count} retries, ${cost(rows, (row) => row.feature_id === feature.id)}`,
    block('', feature.description === '' ? null : fenced(feature.description)).trim(),
    ...rows.attempts.filter((row) => row.feature_id === feature.id).map((row) => attemptText(rows, row)),
    block(
      'Notes:',
      list(
        rows.notes
          .filter((row) => row.feature_id === feature.id)
          .map((row) => `by ${noteAuthor(row)}: ${line(row.content)}`),
      ),
    ),
  ]).trim();
}

function attemptText(rows: RecordRows, attempt: AttemptRow): string {
  const { verdict } = attempt;
  return joined([
    `#### ${attempt.feature_id === null ? 'Review' : 'Attempt'} ${attempt.number} (${attempt.id}): ${attempt.status}${attempt.cause === null ? '' : `, ${line(attempt.cause)}`}`,
    list([
      `[session ${attempt.session_id}](../sessions/${attempt.session_id}.md), ${cost(rows, (row) => row.attempt_id === attempt.id)}, ${attempt.started_at} to ${attempt.ended_at ?? 'its export'}`,
      ...(attempt.diff === null ? [] : [`diff: [${attempt.diff}](../artifacts/${attempt.diff})`]),
      ...(attempt.kept === null ? [] : [`whole patch: [${attempt.id}.patch](../attempts/${attempt.id}.patch)`]),
      ...attempt.evidence.map(
        (one) =>
          `${one.exitCode === 0 ? 'passed' : (one.ended ?? `exit ${one.exitCode}`)}: \`${line(one.command)}\`${originText(one)}, [output](../artifacts/${one.artifact})`,
      ),
    ]),
    verdict === null
      ? ''
      : `**${verdict.verdict}**\n\n${fenced([verdict.reason, verdict.feedback].filter((text) => text !== '').join('\n\n'))}`,
    block('Reported:', attempt.summary === null ? null : fenced(attempt.summary)),
    block('Feedback:', attempt.feedback === null ? null : fenced(attempt.feedback)),
  ]).trim();
}

/** A rule is named with its text, so that its approval is not read as one by a person. */
function answeredBy(rows: RecordRows, { decided_by, rule_id }: ApprovalRow): string {
  if (decided_by === null) return '';
  const rule = rows.rules.find(({ id }) => id === rule_id);
  return rule === undefined ? ` by ${decided_by}` : ` by rule ${rule.id} (${line(rule.text)})`;
}

function decisions(rows: RecordRows, job: JobRow): string {
  return list(
    rows.approvals
      .filter((row) => row.job_id === job.id)
      .map(
        (row) =>
          `${row.requested_at} ${row.kind}: ${line(row.question)} **${row.status}**${row.choice === null ? '' : ` (${line(row.choice)})`}${answeredBy(rows, row)}${row.feedback === null ? '' : `: ${line(row.feedback)}`}`,
      ),
  );
}

function calls(rows: RecordRows, job: JobRow): string {
  const own = rows.spends.filter((row) => row.job_id === job.id);
  if (own.length === 0) return '';
  const head =
    '| call | at | role | model | status | tokens in | out | cost |\n| --- | --- | --- | --- | --- | --- | --- | --- |';
  const cells = own.map(
    (row) =>
      `| ${row.id} | ${row.at} | ${row.role} | ${line(row.model)} | ${row.status} | ${row.input_tokens} | ${row.output_tokens} | ${usd(countedMicroUsd(row))} |`,
  );
  return [head, ...cells].join('\n');
}

export function taskText(rows: RecordRows, task: RecordRows['tasks'][number]): string {
  const steps = rows.task_steps.filter((row) => row.task_id === task.id).sort((a, b) => a.number - b.number);
  return joined([
    `# ${line(task.name)}`,
    list([
      `Task: ${task.id}, project ${task.project_id}`,
      `Status: ${task.status}${task.reason === null ? '' : `: ${line(task.reason)}`}`,
      `Cost: ${cost(rows, (row) => row.task_id === task.id)}`,
    ]),
    block('## Objective', task.objective === '' ? null : fenced(task.objective)),
    block('## Summary', task.summary === null ? null : fenced(task.summary)),
    ...steps.map((step) =>
      joined([
        `## Step ${step.number}: ${line(step.name)}, ${step.action}, ${step.status}`,
        fenced(JSON.stringify(step.params, null, 2), 'json'),
        block(
          'Result:',
          step.result_artifact === null
            ? step.result === null
              ? null
              : fenced(JSON.stringify(step.result, null, 2), 'json')
            : `[as JSON](../artifacts/${step.result_artifact})`,
        ),
        block('Error:', step.error === null ? null : fenced(step.error)),
      ]).trim(),
    ),
    block(
      '## Log',
      list(
        rows.task_logs
          .filter((row) => row.task_id === task.id)
          .map((row) => `${row.at} ${row.level}: ${line(row.text)}`),
      ),
    ),
  ]);
}
