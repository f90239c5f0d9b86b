/** Shows the candidate results of several agents, for comparison before one is picked. */

import { candidatesOf, executorOf } from '../../core/agent/executors.ts';
import { areUnpriced } from '../../core/money/price/unpriced.ts';
import { tokensOf } from '../../core/money/usageLimits.ts';
import { heldText, spentBy } from '../../core/money/view/spent.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { AttemptRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type Context, columns, command } from '../screen/context.ts';
import { cost, dollars, duration, tokens } from '../text/format.ts';
import { type Column, table } from '../text/table.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';

const COLUMNS: readonly Column[] = [
  { title: 'ATTEMPT', align: 'right' },
  { title: 'AGENT', gives: true },
  { title: 'RESULT' },
  { title: 'COMMANDS', align: 'right' },
  { title: 'DIFF', align: 'right' },
  { title: 'COST', align: 'right' },
  { title: 'TIME', align: 'right', optional: true },
  { title: 'TOKENS', align: 'right', optional: true },
];

/** For each candidate: evidence, size of the change, cost; below, its report and the location of its diff. */
export function candidatesText(context: Context, state: State, { feature_id }: ApprovalRow): string[] {
  const feature = feature_id === null ? undefined : state.features.get(feature_id);
  const candidates = feature === undefined ? [] : candidatesOf(state, feature);
  const said = candidates.flatMap((attempt) => [
    `${attempt.id}: ${visibleBlock(attempt.summary ?? 'no summary').replaceAll('\n', '\n   ')}`,
    ...(attempt.diff === null ? [] : [`   ${command(context, `board artifact ${attempt.diff}`)}`]),
  ]);
  const rows = candidates.map((attempt) => row(state, attempt));
  return [...table(COLUMNS, rows, columns(context) - 2), ...said].map((line) => `  ${line}`);
}

function row(state: State, attempt: AttemptRow): string[] {
  const { id, status, cause, evidence, changed, worked_ms, ended_at } = attempt;
  const spends = [...state.spends.values()].filter((spend) => spend.attempt_id === id);
  const spent = spentBy(spends);
  const used = spends.reduce((sum, spend) => sum + tokensOf(spend), 0);
  const passed = evidence.filter(({ exitCode }) => exitCode === 0).length;
  return [
    String(id),
    visibleLine(executorOf(state, attempt)),
    status === 'succeeded' ? 'passed' : `${status} (${cause ?? 'unknown'})`,
    `${passed}/${evidence.length}`,
    changed === null ? '-' : `+${changed.added} -${changed.removed} in ${changed.files}`,
    cost(spent.costUsd, areUnpriced(spends)) + heldText(spent, dollars),
    ended_at === null ? '-' : duration(worked_ms),
    tokens(used),
  ];
}
