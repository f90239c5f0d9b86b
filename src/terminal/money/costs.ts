/** `costs`: where the money went. */

import { ledgerOf } from '../../core/money/ledger.ts';
import { cacheLines, sessionCacheLines } from '../../core/money/view/cacheLines.ts';
import { type Costs, costs } from '../../core/money/view/costs.ts';
import { executorLines } from '../../core/money/view/executorCosts.ts';
import { ledgerWithUses } from '../../core/money/view/sessionUses.ts';
import { heldText } from '../../core/money/view/spent.ts';
import type { CacheAmounts } from '../../shared/money.ts';
import type { ExecutorLine } from '../../shared/workspace/panel.ts';
import { type Context, columns, command, findJob, print, readState, request } from '../screen/context.ts';
import { dollars, dollarsOrNone, localDay, plural } from '../text/format.ts';
import { parseAmount, parseId } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { cacheTable } from './cacheTable.ts';
import { costTable, executorTable, withRest } from './costTables.ts';

export async function costsVerb(context: Context, options: { readonly job?: string }): Promise<number> {
  const state = await readState(context);
  const job = options.job === undefined ? null : findJob(context, state, options.job);
  const view = costs(state, localDay(context.deps.clock), job?.id ?? null);
  const executors = executorLines(state, ledgerOf(state.spends.values()), job?.id ?? null);
  const rows = [...state.spends.values()];
  const own = job === null ? rows : rows.filter((row) => row.job_id === job.id);
  const ledger = ledgerWithUses(own, state);
  const cache = { ...cacheLines(state, ledger), bySession: sessionCacheLines(state, ledger) };
  print(context, { ...view, executors, cache }, context.json ? '' : costsText(context, view, executors, cache.total));
  return 0;
}

/** Records the cost of a call whose end was lost, as the provider states it. */
export async function adjustVerb(context: Context, id: string, amount: string): Promise<number> {
  const callId = parseId(id, 'call');
  const microUsd = parseAmount(amount, 'the cost');
  await request(context, 'adjustCall', { callId, microUsd });
  print(context, { call: { id: callId, usd: microUsd / 1e6 } }, `Call ${callId} cost ${dollars(microUsd / 1e6)}`);
  return 0;
}

function costsText(context: Context, view: Costs, executors: readonly ExecutorLine[], cache: CacheAmounts): string {
  const width = columns(context);
  const { today, limits, total } = view;
  // Real and simulated money count against the limit separately.
  const ofLimit = today.limitUsd === null ? '' : ` of ${dollars(today.limitUsd)}`;
  const head = [
    `Today (${today.day}): ${dollars(today.costUsd)}${ofLimit === '' ? ' of none' : ofLimit}${heldText(today, dollars)}${today.simulatedUsd > 0 ? `, and ${dollars(today.simulatedUsd)}${ofLimit} simulated` : ''}`,
    `Limits: call ${dollarsOrNone(limits.callUsd)}, project ${dollarsOrNone(limits.projectUsd)}, in all ${dollarsOrNone(limits.totalUsd)}`,
  ];
  if (view.simulated) head.push('Some or all of these costs are simulated: that money is not real.');
  if (view.unpriced)
    head.push(
      'Calls of vscode-lm, or of an agent’s own account, are not priced: they count in calls and tokens, and cost $0.00 here.',
    );
  const tables = [
    // A single project equals the total.
    ['PROJECT', view.byProject.length > 1 ? view.byProject : []],
    ['JOB', view.byJob.map((line) => ({ ...line, label: `${line.key}: ${line.label}` }))],
    ['TASK', view.byTask.map((line) => ({ ...line, label: `${line.key}: ${line.label}` }))],
    ['PHASE', withRest(view.byPhase, total, '(no phase)')],
    ['FEATURE', withRest(view.byFeature, total, '(no feature)')],
    ['ROLE', view.byRole],
    ['MODEL', view.byModel],
  ] as const;
  const blocks = tables
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => costTable(title, lines, total, width).join('\n'));
  const unsettled = view.unsettled.map(
    (call) => `  call ${call.id}: ${dollars(call.usd)} ${call.role} ${call.model}, ${visibleLine(call.reason ?? '')}`,
  );
  if (cache.calls > 0) blocks.push(cacheTable(cache, width).join('\n'));
  if (executors.length > 0) blocks.push(executorTable(executors, width).join('\n'));
  if (unsettled.length > 0) {
    blocks.push(
      [
        `Perhaps billed, counted at the worst case: ${plural(unsettled.length, 'call')}`,
        ...unsettled,
        `Set what the provider billed for one: ${command(context, 'costs adjust CALL USD')}`,
      ].join('\n'),
    );
  }
  return [head.join('\n'), ...blocks].join('\n\n');
}
