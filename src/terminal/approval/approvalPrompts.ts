/** Answers the questions of a run: by the `--yes` flag, or by a person at the terminal if there is one. */

import { askedOf } from '../../core/approval/about.ts';
import { refusalOf } from '../../core/approval/refusals.ts';
import { needsAnswer } from '../../core/approval/stewardship.ts';
import { openAttempts } from '../../core/state/rows.ts';
import type { ApprovalKind, ApprovalRow } from '../../shared/approval.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { Context } from '../screen/context.ts';
import { prompt } from '../screen/prompt.ts';
import type { RunView } from '../screen/run/views.ts';
import { usage } from '../text/parse.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';
import { approvalText, defaultChoice, executableLines, REFUSED } from './approvalText.ts';
import { confirmExecutables } from './confirm.ts';

export interface Answer {
  readonly decision: 'approved' | 'rejected';
  readonly choice: string | null;
  readonly feedback: string | null;
  readonly by: 'steward' | 'yes_flag' | 'demo';
}

/**
 * An answer. `leave`: the person wants to stop here, and the question stays open. Null if this steward does not answer the question: ask the next
 * one. Rejects when `signal` aborts, because the question was answered elsewhere or the run should stop.
 */
export type Steward = (approval: ApprovalRow, asking: Asking) => Promise<Answer | 'leave' | null>;

/** Context of a question. */
export interface Asking {
  /** Undefined if the question is about no job. */
  readonly job: JobRow | undefined;
  readonly state: State;
  readonly view: RunView;
  readonly signal: AbortSignal;
}

/** Kinds of questions that `--yes` may answer. All others need a person, whatever the flags. */
const YES: readonly ApprovalKind[] = ['plan', 'phase', 'merge', 'dirty_tree', 'unmergeable', 'setup'];

export function yesSteward(context: Context): Steward {
  return async (approval, { job, view }) => {
    const isMine = YES.includes(approval.kind) || askedOf(approval).of === 'toolMissing';
    if (!isMine || needsAnswer(approval)) return null;
    if (approval.executables.length > 0) view.warn(executableLines(context, approval.executables).join('\n'));
    return { decision: 'approved', choice: defaultChoice(approval, job), feedback: null, by: 'yes_flag' };
  };
}

/** Shows a question of this kind and stops the run. The question stays open. */
export function leaveAt(context: Context, kind: ApprovalKind): Steward {
  return async (approval, { job, state, view }) => {
    if (approval.kind !== kind) return null;
    view.say(approvalText(context, approval, job, state));
    return 'leave';
  };
}

export function firstOf(stewards: readonly Steward[]): Steward {
  return async (approval, asking) => {
    for (const steward of stewards) {
      const answer = await steward(approval, asking);
      if (answer !== null) return answer;
    }
    return null;
  };
}

/** A person at the terminal, asked inline. Only where both input and output are a terminal. */
export function personSteward(context: Context): Steward {
  return async (approval, asking) => {
    asking.view.hold();
    try {
      context.deps.io.out(
        `\n${approvalText(context, approval, asking.job, asking.state)}\n${meanwhile(context, approval, asking)}`,
      );
      return await askPerson(context, approval, asking);
    } finally {
      asking.view.release();
    }
  };
}

/** Output is held while a question is open. */
function meanwhile(context: Context, { feature_id }: ApprovalRow, { job, state }: Asking): string {
  const open = job === undefined ? [] : openAttempts(state, job.id);
  const goesOn = open.some((row) => row.status !== 'interrupted' && row.feature_id !== feature_id);
  return goesOn ? `${context.paint('  Other features continue. Their lines follow your answer.', 'faint')}\n` : '';
}

function rejectionPrompt(state: State, approval: ApprovalRow): string {
  const refusal = refusalOf(state, approval);
  return refusal === null ? 'What should be different? ' : `This ${REFUSED[refusal]}. Why? `;
}

async function askPerson(context: Context, approval: ApprovalRow, asking: Asking): Promise<Answer | 'leave'> {
  const { io } = context.deps;
  const { signal } = asking;
  for (;;) {
    const diff = asking.job === undefined ? '' : '[d]iff ';
    const line = await prompt(context, `[a]pprove [r]eject ${diff}[q] leave: `, signal);
    switch ((line ?? 'q').toLowerCase()) {
      case 'a': {
        const answer = await approve(context, approval, asking);
        if (answer !== null) return answer;
        break;
      }
      case 'r': {
        const feedback = (await prompt(context, rejectionPrompt(asking.state, approval), signal)) ?? '';
        if (feedback !== '') return { decision: 'rejected', choice: null, feedback, by: 'steward' };
        io.out('Not rejected: a rejection needs its reason.\n');
        break;
      }
      case 'd':
        if (asking.job !== undefined)
          io.out(`${visibleBlock(await context.workspace.job.diff(asking.job.id)).trimEnd()}\n`);
        break;
      case 'q':
        return 'leave';
      default:
        break;
    }
  }
}

/** Returns null if the person cancels. */
async function approve(context: Context, approval: ApprovalRow, asking: Asking): Promise<Answer | null> {
  const { io } = context.deps;
  const { job, signal } = asking;
  const isChosen = approval.choices.length > 1 || (approval.kind === 'pick' && approval.choices.length > 0);
  const choice = isChosen ? await choose(context, approval, asking) : defaultChoice(approval, job);
  if (choice === null && isChosen) return null;
  const isNeeded = needsAnswer(approval);
  const asked =
    isNeeded || approval.kind === 'stuck' || approval.kind === 'task'
      ? await prompt(context, isNeeded ? 'Your answer: ' : 'Your answer (Enter: none): ', signal)
      : null;
  const feedback = asked?.trim() === '' ? null : asked;
  if (isNeeded && feedback === null) {
    io.out('Not approved: the question needs an answer in words.\n');
    return null;
  }
  if (!(await confirmExecutables(context, approval.executables, signal))) {
    io.out('Not approved.\n');
    return null;
  }
  return { decision: 'approved', choice, feedback, by: 'steward' };
}

async function choose(context: Context, approval: ApprovalRow, { job, signal }: Asking): Promise<string | null> {
  const names = approval.choices.map(visibleLine).join(', ');
  const standard = defaultChoice(approval, job);
  for (;;) {
    const enter = standard === null ? '' : ` (Enter: ${visibleLine(standard)})`;
    const word = await prompt(context, `Which? ${names}${enter}: `, signal);
    if (word === null || (word === '' && standard !== null)) return standard;
    if (approval.choices.includes(word)) return word;
    context.deps.io.out(`There is no choice ${visibleLine(word)}.\n`);
  }
}

/** Whether a person can be asked here. */
export function canAsk({ json, deps: { io } }: Context): boolean {
  return !json && io.isTTY && io.stdinIsTTY;
}

export function needPerson(context: Context, option: string): void {
  if (!canAsk(context)) throw usage(`${option} needs a terminal to ask at`);
}
