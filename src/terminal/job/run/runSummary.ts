/** Facts that are shown when a run ends, or about a job at any time. */
import { takenFailure, takenText } from '../../../core/job/gate/acceptResult.ts';
import { type JobSummary, jobSummary } from '../../../core/job/view/job.ts';
import { standsStill } from '../../../core/job/view/jobStatus.ts';
import { type Costs, costs } from '../../../core/money/view/costs.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { need } from '../../../core/state/rows.ts';
import type { SandboxState } from '../../../engine/session/commandPorts.ts';
import type { JobOptions } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { ruleFacts } from '../../approval/ruleFacts.ts';
import { costTable, withRest } from '../../money/costTables.ts';
import { baselineLines } from '../../screen/baseline.ts';
import { type Context, columns, command, type ReadOwned } from '../../screen/context.ts';
import { stillWord } from '../../screen/standing.ts';
import { waitingText } from '../../screen/waiting.ts';
import { executorsText } from '../../text/executors.ts';
import { dollars, duration, localDay, moment, plural } from '../../text/format.ts';
import type { Tone } from '../../text/paint.ts';
import { visibleLine } from '../../text/visible.ts';
import { attemptsText, featuresText, openQuestions, todoFact } from './workFacts.ts';

export const SIMULATION = 'Simulation: no model was called and the money is not real.';

/** Only agents with their own account need limits without a price. They call their real models even if the engine's are simulated. */
export function simulationText({ unpricedLimits }: JobOptions): string {
  if (unpricedLimits === undefined) return SIMULATION;
  return 'Simulation: Autonomous called no model, and its amounts are not real. An agent with its own account really is billed there.';
}

export interface RunSummaryOptions {
  /** State of the sandbox on this machine now. If absent, only the evidence is shown. */
  readonly sandbox?: SandboxState;
  /** Work that the owner of the workspace is running. Absent if this process follows the job. */
  readonly looked?: Pick<ReadOwned, 'owned' | 'atWork'>;
  /** The project is about to be removed: no command about it. */
  readonly passing?: boolean;
  /** The run ended at a question: only where the job is, because the whole follows when the job ends. */
  readonly brief?: boolean;
}

export function runSummary(context: Context, state: State, jobId: string, options: RunSummaryOptions = {}): string {
  const job = jobSummary(state, jobId);
  const money = costs(state, localDay(context.deps.clock), jobId);
  const facts: readonly (readonly [string, string])[] = [
    ['Job', `${job.id}: ${visibleLine(job.title)}`],
    ['Status', statusText(context, state, job, options.looked)],
    ...waitingFact(context, job, options),
    ...(money.simulated || job.provider === 'simulated'
      ? [['Money', simulationText(need(state, 'jobs', jobId).options)] as const]
      : []),
    ...heldFacts(context, money, options.passing === true),
    ...(options.brief === true
      ? briefFacts(context, state, job, money, options)
      : wholeFacts(context, state, job, options)),
  ];
  const lines = facts.map(([title, text]) => `${context.paint(title.padEnd(10), 'faint')}${text}`);
  const tables = options.brief === true ? [] : costBlocks(money, columns(context));
  return [lines.join('\n'), ...tables].join('\n\n');
}

function briefFacts(
  context: Context,
  state: State,
  job: JobSummary,
  { total }: Costs,
  { passing }: RunSummaryOptions,
): (readonly [string, string])[] {
  const whole = passing === true ? '' : `; the whole summary: ${command(context, `job show ${job.id}`)}`;
  return [
    ['Features', featuresText(state, job)],
    ['Cost', `${dollars(total.settledUsd)} so far${whole}`],
  ];
}

function wholeFacts(
  context: Context,
  state: State,
  job: JobSummary,
  options: RunSummaryOptions,
): (readonly [string, string])[] {
  const { id } = job;
  const planned = need(state, 'jobs', id).plan_accepted;
  return [
    ['Result', resultText(job, planned)],
    ...verifyFact(context, state, id),
    ...ruleFacts(state, id),
    ...(options.passing === true ? [] : lookFacts(context, job, planned)),
    ...baselineFact(context, state, id),
    ['Commands', commandsText(state, id, options.sandbox)],
    ['Features', featuresText(state, job)],
    ...todoFact(state, id),
    ['Attempts', attemptsText(state, job)],
    ...agentsFact(state, id),
    ['Time', `${duration(job.durationMs)} in sessions, ${plural(job.turns, 'turn')}`],
  ];
}

function statusText(context: Context, state: State, job: JobSummary, looked: RunSummaryOptions['looked']): string {
  const { deps, paint } = context;
  const asked = openQuestions(state, job.id).filter(({ question }) => question === job.reason);
  if (job.status === 'awaiting_steward' && asked.length > 0) {
    return paint(`waiting for you: ${asked.map(({ id, kind }) => `question ${id} (${kind})`).join(', ')}`, 'warning');
  }
  const tones: Partial<Record<JobSummary['status'], Tone>> = { completed: 'good', failed: 'bad', cancelled: 'bad' };
  const reason = job.reason === null ? '' : `: ${visibleLine(job.reason)}`;
  const until = job.wakeAt === null ? '' : ` until ${moment(job.wakeAt, deps.clock)}`;
  const stands = looked !== undefined && standsStill(job, looked.atWork);
  const still = stands ? `, ${stillWord(looked.owned)}: ${command(context, `run --resume ${job.id}`)}` : '';
  return paint(`${job.status.replaceAll('_', ' ')}${until}${reason}${still}`, tones[job.status] ?? 'warning');
}

/** Lists questions with the commands that answer them. The command that resumes a paused job is shown at the end of a run. */
function waitingFact(context: Context, job: JobSummary, options: RunSummaryOptions): (readonly [string, string])[] {
  const { id, projectId, waiting } = job;
  if (waiting === null || waiting.code === 'question' || options.passing === true) return [];
  if (waiting.code === 'paused' && options.looked === undefined) return [];
  return [['Waiting', waitingText(context, waiting, { of: 'job', id, projectId })]];
}

/** Held money, which is in no sum of the job's cost. */
function heldFacts(context: Context, { total }: Costs, passing: boolean): (readonly [string, string])[] {
  const { reservedUsd, unsettledUsd } = total;
  const calls = passing ? '' : `; by call: ${command(context, 'costs')}`;
  return [
    ...(reservedUsd === 0 ? [] : [['Reserved', `up to ${dollars(reservedUsd)} for calls in flight`] as const]),
    ...(unsettledUsd === 0 ? [] : [['Unsettled', `up to ${dollars(unsettledUsd)} perhaps billed${calls}`] as const]),
  ];
}

function lookFacts(context: Context, job: JobSummary, planned: boolean): (readonly [string, string])[] {
  const facts: (readonly [string, string])[] = [];
  if (planned && job.baseline !== null) facts.push(['Diff', command(context, `job diff ${job.id}`)]);
  if (job.merge !== null && job.merge.mode === 'merge' && !job.merge.rolledBack) {
    facts.push(['Roll back', command(context, `job rollback ${job.id}`)]);
  }
  return facts;
}

/** Location of the result, without a full stop. */
export function resultText({ merge, branch, status, baseline }: JobSummary, planned: boolean): string {
  if (merge === null) {
    if (baseline === null || (!planned && !isFinal(JOB, status))) return 'none yet';
    return isFinal(JOB, status)
      ? `not merged; what was done is branch ${branch} of the job's clone`
      : `branch ${branch} of the job's clone, not merged yet`;
  }
  const note = merge.note === null ? '' : ` (${visibleLine(merge.note)})`;
  const at = merge.commit === null ? '' : ` at ${merge.commit.slice(0, 9)}`;
  const target = visibleLine(merge.target);
  if (merge.rolledBack) return `rolled back from ${target}${note}`;
  if (merge.mode === 'patch') return `patch ${target}${note}`;
  if (merge.mode === 'branch') return `branch ${target}${at}${note}`;
  return `merged into ${target}${at}, from branch ${branch}${merge.checkedOut ? '; your checked-out files were moved forward' : ''}${note}`;
}

/** Describes past commands by the evidence, and future ones by the probe. */
function commandsText(state: State, jobId: string, sandbox: SandboxState | undefined): string {
  const evidence = [...state.attempts.values()].filter((row) => row.job_id === jobId).flatMap((row) => row.evidence);
  const confined = evidence.filter((each) => each.sandboxed).length;
  const open = evidence.length - confined;
  if (open > 0) return `${open} of ${plural(evidence.length, 'verify command')} ran UNCONFINED, without a sandbox`;
  if (confined > 0) return `${plural(confined, 'verify command')}, all in the sandbox`;
  const none = 'no verify command ran after an attempt yet';
  return sandbox === undefined ? none : `${none}; commands run ${sandboxText(sandbox)}`;
}

export function sandboxText(sandbox: SandboxState): string {
  if (sandbox.mode === 'sandboxed') return `in the sandbox (${visibleLine(sandbox.detail)})`;
  return `UNCONFINED, no sandbox: ${visibleLine(sandbox.detail)}`;
}

/** A result that was taken although it fails is never shown without that. */
function verifyFact({ paint }: Context, state: State, jobId: string): (readonly [string, string])[] {
  const taken = takenFailure(state, need(state, 'jobs', jobId));
  return taken === null ? [] : [['Verify', paint(visibleLine(takenText(taken)), 'bad')]];
}

/** The verify commands before any work. */
function baselineFact(context: Context, state: State, jobId: string): (readonly [string, string])[] {
  const checks = state.jobs.get(jobId)?.baseline_checks ?? [];
  return checks.length === 0 ? [] : [['Baseline', baselineLines(context, jobId, checks)]];
}

/** The built-in agent is not shown if it has all roles. */
function agentsFact(state: State, jobId: string): (readonly [string, string])[] {
  const executors = state.jobs.get(jobId)?.options.executors ?? {};
  return Object.keys(executors).length === 0 ? [] : [['Agents', executorsText(executors)]];
}

function costBlocks(money: Costs, width: number): string[] {
  if (money.total.calls === 0) return [];
  const phases = withRest(money.byPhase, money.total, '(no phase)');
  return [
    costTable('COST BY ROLE', money.byRole, money.total, width).join('\n'),
    ...(money.byPhase.length === 0 ? [] : [costTable('COST BY PHASE', phases, money.total, width).join('\n')]),
  ];
}
