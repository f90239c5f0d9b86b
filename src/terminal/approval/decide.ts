/** `approve` and `reject`: the steward's answer to one question. */

import { refusalOf } from '../../core/approval/refusals.ts';
import { sameCause } from '../../core/approval/sameCause.ts';
import { jobAsked } from '../../core/approval/stewardship.ts';
import { awaits } from '../../core/project/projectAfter.ts';
import { need } from '../../core/state/rows.ts';
import type { ApprovalRow, Refusal } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type Context, command, print, readState, withEngine } from '../screen/context.ts';
import { parseId, usage } from '../text/parse.ts';
import { shellWord } from '../text/shell.ts';
import { visibleLine } from '../text/visible.ts';
import { approvalText, decidedText, defaultChoice, executableLines, REFUSED } from './approvalText.ts';
import { confirmExecutables } from './confirm.ts';

interface Decision {
  readonly decision: 'approved' | 'rejected';
  readonly choice: string | null;
  readonly feedback: string | null;
}

interface Question {
  readonly approval: ApprovalRow;
  /** Undefined if the question is about a project itself. */
  readonly job: JobRow | undefined;
}

async function pendingApproval(context: Context, id: string): Promise<Question> {
  const state = await readState(context);
  const row = need(state, 'approvals', parseId(id, 'question'));
  if (row.status !== 'pending') {
    throw failure('ILLEGAL_TRANSITION', `question ${row.id} is ${row.status} already`, {
      hint: `See open questions: ${command(context, 'approvals')}`,
    });
  }
  return { approval: row, job: jobAsked(state, row) };
}

export interface ApproveOptions {
  readonly choice?: string;
  readonly answer?: string;
  readonly yes?: true;
}

export async function approveVerb(context: Context, id: string, options: ApproveOptions): Promise<number> {
  const { approval, job } = await pendingApproval(context, id);
  const choice = options.choice ?? defaultChoice(approval, job);
  if (choice === null && approval.kind === 'pick') {
    const known = approval.choices.map(visibleLine).join(', ');
    const hint =
      known === '' ? 'None passed: reject them all with --feedback.' : `--choice ATTEMPT is one of ${known}.`;
    throw usage('name the agent whose result to pick', hint);
  }
  if (choice !== null && !approval.choices.includes(choice)) {
    const known = approval.choices.map(visibleLine).join(', ');
    throw usage(
      `question ${approval.id} has no choice "${visibleLine(choice)}"`,
      known === '' ? 'It takes none.' : `It has: ${known}.`,
    );
  }
  if (!(await looked(context, { approval, job }, { ...options, choice }))) return 3;
  return decide(context, approval, { decision: 'approved', choice, feedback: options.answer ?? null });
}

/** Shows files that would execute to the approving person, who confirms them at a terminal, or beforehand by `--yes`. */
export async function looked(
  context: Context,
  { approval, job }: Question,
  { yes = false, choice = null }: { readonly yes?: boolean; readonly choice?: string | null },
): Promise<boolean> {
  const { executables } = approval;
  if (executables.length === 0) return true;
  const { io } = context.deps;
  const asks = !context.json && io.isTTY && io.stdinIsTTY;
  if (yes || !asks) io.err(`${executableLines(context, executables).join('\n')}\n`);
  if (yes) return true;
  if (!asks) {
    const again = `approve ${approval.id}${choice === null ? '' : ` --choice ${shellWord(choice)}`} --yes`;
    io.err(`Not approved: without a terminal they are confirmed by --yes: ${command(context, again)}\n`);
    const { id, job_id, task_id } = approval;
    const open = { id, job: job_id, task: task_id, decision: null, choice, feedback: null };
    if (context.json) print(context, { approval: open, executables }, '');
    return false;
  }
  io.out(`${approvalText(context, approval, job)}\n`);
  const stop = new AbortController();
  const forget = context.deps.signals.onStop(() => stop.abort(failure('ABORTED', 'stopped: nothing was approved')));
  try {
    const confirmed = await confirmExecutables(context, executables, stop.signal);
    if (!confirmed) io.out('Not approved.\n');
    return confirmed;
  } finally {
    forget();
  }
}

export async function rejectVerb(
  context: Context,
  id: string,
  options: { readonly feedback: string },
): Promise<number> {
  const { approval } = await pendingApproval(context, id);
  if (options.feedback.trim() === '') throw usage('say why: the feedback is empty');
  return decide(context, approval, { decision: 'rejected', choice: null, feedback: options.feedback });
}

/** The verb that continues the work behind the question: the job's, or its task's if the job is a step. */
function resumeOf(state: State, { job_id, task_id }: ApprovalRow): string {
  const steps = job_id === null ? [] : [...state.task_steps.values()];
  const step = steps.find((one) => one.job_id === job_id && one.status === 'RUNNING');
  const taskId = task_id ?? step?.task_id;
  if (taskId !== undefined) return `task progress ${taskId} --follow`;
  return job_id === null ? 'chat' : `run --resume ${job_id}`;
}

/** The next step after a rejection: the user resumes a paused job, also if another process owns the workspace. */
function afterRefusal(
  context: Context,
  refusal: NonNullable<Refusal>,
  { job_id }: ApprovalRow,
  { resume, goesOn }: { readonly resume: string; readonly goesOn: string },
): string {
  const effect = `This ${REFUSED[refusal]}.`;
  switch (refusal) {
    case 'pauses':
      return `${effect} To continue: ${resume}`;
    case 'ends':
      return `${effect} What was done is kept: ${command(context, `job show ${job_id}`)}`;
    case 'fails':
      return `${effect} Try it again: ${command(context, `job retry ${job_id}`)}\n${goesOn}`;
    default:
      return `${effect}\n${goesOn}`;
  }
}

/** The next step after an approval. `state` is after the answer. `owner`: no other process works on the workspace. */
function afterApproval(
  context: Context,
  state: State,
  { kind, project_id }: ApprovalRow,
  choice: string | null,
  { owner, goesOn, resume }: { readonly owner: boolean; readonly goesOn: string; readonly resume: string },
): string {
  const project = kind === 'workdir' ? state.projects.get(project_id) : undefined;
  const waits = project === undefined ? null : awaits(state, project);
  if (waits !== null) {
    const early = command(context, `project unpark ${project_id}`);
    return `Nothing runs yet: project ${visibleLine(project_id)} ${visibleLine(waits)}. To start it earlier: ${early}`;
  }
  if (kind !== 'merge') return goesOn;
  const not = choice === 'merge' ? 'Nothing is merged yet' : 'The result is not written yet';
  if (!owner) return `${not}: the running owner does it.`;
  return `${not}, because no process works on the job. To do it now: ${resume}\nThe next chat, run or window of VS Code in this folder does it too.`;
}

async function decide(context: Context, approval: ApprovalRow, decision: Decision): Promise<number> {
  const { owner, resume, refusal, others, state } = await withEngine(context, async (engine) => {
    const refusal = decision.decision === 'rejected' ? refusalOf(engine.state, approval) : null;
    const others = sameCause(engine.state, approval);
    await engine.request('decide', {
      approvalId: approval.id,
      ...decision,
      also: others.map(({ id }) => id),
      by: 'steward',
    });
    const { owner, state } = engine;
    return { refusal, others, owner, state, resume: command(context, resumeOf(state, approval)) };
  });
  const also = others.map(({ id, job_id, task_id, project_id }) => ({
    id,
    job: job_id,
    task: task_id,
    project: project_id,
  }));
  const settled = also.map(
    ({ id, job, task, project }) => `Settled too, same cause: question ${id} of ${job ?? task ?? project}`,
  );
  const goesOn = owner ? `Continue: ${resume}` : 'The running owner continues.';
  const next =
    refusal !== null
      ? afterRefusal(context, refusal, approval, { resume, goesOn })
      : decision.decision === 'approved'
        ? afterApproval(context, state, approval, decision.choice, { owner, goesOn, resume })
        : goesOn;
  print(
    context,
    {
      approval: { id: approval.id, job: approval.job_id, task: approval.task_id, ...decision },
      ...(also.length === 0 ? {} : { also }),
      working: !owner,
    },
    [decidedText(approval, decision), ...settled.map(visibleLine), next].join('\n'),
  );
  return 0;
}
