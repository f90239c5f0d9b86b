/** Answers questions to the steward from the lines of a chat: `/approve` and `/reject`. */

import { sameCause } from '../../../core/approval/sameCause.ts';
import { jobAsked } from '../../../core/approval/stewardship.ts';
import { need } from '../../../core/state/rows.ts';
import type { OpenedEngine } from '../../../engine/workspace/workspace.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure } from '../../../shared/errors.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { decidedText, defaultChoice, executableLines, howToAnswer, refusedText } from '../../approval/approvalText.ts';
import { type Context, command } from '../../screen/context.ts';
import { parseId, usage } from '../../text/parse.ts';
import { visibleLine } from '../../text/visible.ts';

const LINE = /^\/(approve|reject)(?:\s+(\S+)(?:\s+([\s\S]*))?)?$/;

export const ANSWER_HELP = [
  '/approve ID [CHOICE] [ANSWER]  approve a question',
  '/reject ID REASON              reject a question',
];

/** Returns null if the line is not an answer. */
export function chatAnswer(
  line: string,
): { readonly verb: 'approve' | 'reject'; readonly id: string; readonly rest: string } | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [, verb, id = '', rest = ''] = match;
  if (id === '') throw usage(`missing question ID: /${verb} ID`);
  return { verb: verb as 'approve' | 'reject', id, rest: rest.trim() };
}

/** The inputs that answer a question in the chat. Files that would execute are confirmed by a separate verb. */
export function howToAnswerHere(context: Context, approval: ApprovalRow, state: State): string {
  const { id, kind, choices, executables } = approval;
  if (executables.length > 0) return howToAnswer(context, approval, state);
  const choice = kind === 'pick' ? ' ATTEMPT' : choices.length > 0 ? ' [CHOICE]' : '';
  const answer = kind === 'stuck' ? ' ANSWER' : kind === 'task' ? ' [ANSWER]' : '';
  return [
    `  Approve:  /approve ${id}${choice}${answer}`,
    `  Reject:   /reject ${id} REASON${refusedText(state, approval)}`,
  ].join('\n');
}

/** Applies an answer and returns the text to show. Throws for a question that is not pending, or an invalid answer. */
export async function answerInChat(
  context: Context,
  engine: OpenedEngine,
  { verb, id, rest }: NonNullable<ReturnType<typeof chatAnswer>>,
): Promise<string> {
  const { state } = engine;
  const row = need(state, 'approvals', parseId(id, 'question'));
  if (row.status !== 'pending') throw failure('ILLEGAL_TRANSITION', `question ${row.id} is ${row.status} already`);
  const given = verb === 'approve' ? approvalOf(context, state, row, rest) : rejectionOf(rest);
  const also = sameCause(state, row).map((one) => one.id);
  await engine.request('decide', { approvalId: row.id, ...given, also, by: 'steward' });
  const settled = also.length === 0 ? '' : `\nSettled too, same cause: ${also.join(', ')}.`;
  return `${decidedText(row, given)}${settled}`;
}

interface Given {
  readonly decision: 'approved' | 'rejected';
  readonly choice: string | null;
  readonly feedback: string | null;
}

function rejectionOf(reason: string): Given {
  if (reason === '') throw usage('a rejection needs its reason: /reject ID REASON');
  return { decision: 'rejected', choice: null, feedback: reason };
}

/** The first word is the choice if the question has it; the rest is the answer. */
function approvalOf(context: Context, state: State, row: ApprovalRow, rest: string): Given {
  if (row.executables.length > 0) {
    throw usage(
      executableLines(context, row.executables).join('\n'),
      `Confirm them: ${command(context, `approve ${row.id}`)}`,
    );
  }
  const [first = ''] = rest.split(/\s/, 1);
  const isChoice = row.choices.includes(first);
  const choice = isChoice ? first : defaultChoice(row, jobAsked(state, row));
  if (choice === null && row.kind === 'pick') {
    throw usage(`name the attempt to take: ${row.choices.map(visibleLine).join(', ')}`);
  }
  const answer = isChoice ? rest.slice(first.length).trim() : rest;
  const takesAnswer = row.kind === 'stuck' || row.kind === 'task';
  if (answer !== '' && !takesAnswer) {
    const known =
      row.choices.length === 0 ? 'takes no choice' : `has the choices ${row.choices.map(visibleLine).join(', ')}`;
    throw usage(`question ${row.id} ${known}, not "${visibleLine(answer)}"`);
  }
  return { decision: 'approved', choice, feedback: answer === '' ? null : answer };
}
