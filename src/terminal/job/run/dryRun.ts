/** `dry-run`: estimates the steps and the cost of a brief by a simulation that changes nothing. */
import type { Rehearsal } from '../../../engine/workspace/workspace.ts';
import { failure } from '../../../shared/errors.ts';
import { type Context, columns, ownerSettings, print } from '../../screen/context.ts';
import { dollars, moment } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { visibleLine } from '../../text/visible.ts';
import { planText } from '../planText.ts';
import { type BriefOptions, briefRequest, readBrief } from './brief.ts';

export async function dryRunVerb(context: Context, words: readonly string[], options: BriefOptions): Promise<number> {
  const { deps, workspace } = context;
  const input = briefRequest(context, await readBrief(context, words, options.file), options);
  const stop = new AbortController();
  const forget = deps.signals.onStop(() => stop.abort(failure('ABORTED', 'the dry run was stopped')));
  try {
    const run = await workspace.job.rehearse(ownerSettings(context, 'asked'), input, stop.signal);
    print(context, { simulated: true, ...run }, context.json ? '' : dryRunText(context, run));
    return 0;
  } finally {
    forget();
  }
}

function dryRunText(context: Context, run: Rehearsal): string {
  const rows = run.steps.map((step) => [
    moment(step.at, context.deps.clock),
    visibleLine(step.text),
    step.costUsd === 0 ? '' : dollars(step.costUsd),
  ]);
  const titles = [{ title: 'AT' }, { title: 'STEP', gives: true }, { title: 'COST', align: 'right' as const }];
  const blocks = [
    context.paint('Dry run on a simulation: nothing was changed, no model was called.', 'strong'),
    ...(run.plan === null ? [] : [planText(run.plan)]),
    table(titles, rows, columns(context)).join('\n'),
    `This scenario on real models would cost between ${dollars(run.lowUsd)} and ${dollars(run.highUsd)}; your brief may cost far more: --budget bounds it.\n${visibleLine(run.note)}`,
  ];
  return blocks.join('\n\n');
}
