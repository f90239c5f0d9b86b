/** `eval`: compares models, agents and settings on tasks of this repository, and prints the table. */
import { resolve } from 'node:path';
import { evalPage } from '../../core/eval/page.ts';
import { type EvalReport, evalReport } from '../../core/eval/report.ts';
import type { EvalRequest, Evaluated } from '../../engine/eval/evaluation.ts';
import type { Variant } from '../../engine/eval/ports.ts';
import { type BriefOptions, briefRequest } from '../job/run/brief.ts';
import { type Context, ownerSettings, print } from '../screen/context.ts';
import { parseAmount, parseCount, usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { evalCsv, evalText } from './evalText.ts';

/** Options of one variant: those of a brief, and the limit of one run. */
export interface VariantOptions extends Omit<BriefOptions, 'budget' | 'gates' | 'merge' | 'file' | 'project'> {
  readonly runBudget?: string;
}

export interface EvalOptions extends VariantOptions {
  /** A number of tasks. */
  readonly fromHistory?: string;
  readonly at?: string;
  /** A folder. */
  readonly tasks?: string;
  readonly test?: string;
  readonly repeat?: string;
  readonly budget?: string;
  readonly page?: string;
  readonly csv?: string;
  readonly parallel?: string;
  readonly batchPrices?: boolean;
}

export interface NamedVariant {
  readonly name: string;
  readonly options: VariantOptions;
}

const MAX_TASKS = 200;
const MAX_REPEAT = 100;
const MAX_PARALLEL = 32;
/** Limit of one run if none is given. */
const RUN_BUDGET = '2';

export async function evalVerb(
  context: Context,
  options: EvalOptions,
  variants: readonly NamedVariant[],
): Promise<number> {
  const { deps, workspace } = context;
  const request = evalRequest(context, options, variants);
  const stop = new AbortController();
  const forget = deps.signals.onStop(() => stop.abort());
  try {
    const say = (text: string): void => deps.io.err(`${visibleLine(text)}\n`);
    const ended = await workspace.evaluate(ownerSettings(context, 'asked'), request, { say, signal: stop.signal });
    const report = reportOf(context, request, ended);
    if (options.page !== undefined) await deps.io.writeFile(resolve(deps.cwd, options.page), evalPage(report));
    if (options.csv !== undefined) await deps.io.writeFile(resolve(deps.cwd, options.csv), evalCsv(ended));
    print(context, { ...report, folder: ended.folder }, context.json ? '' : evalText(context, report));
    return report.missing === 0 ? 0 : 1;
  } finally {
    forget();
  }
}

function reportOf(context: Context, request: EvalRequest, ended: Evaluated): EvalReport {
  return evalReport({
    tasks: ended.tasks.map(({ task }) => task),
    dropped: ended.dropped,
    variants: request.variants.map(({ name }, index) => ({ name, settings: ended.settings[index] ?? '' })),
    runs: ended.runs,
    results: ended.results,
    budgetMicroUsd: request.budgetMicroUsd,
    spentMicroUsd: ended.spentMicroUsd,
    stopped: ended.stopped,
    release: context.deps.version,
  });
}

function evalRequest(context: Context, options: EvalOptions, variants: readonly NamedVariant[]): EvalRequest {
  const { fromHistory, tasks, at, test, repeat = '1', budget, setup, parallel = '1' } = options;
  if ((fromHistory === undefined) === (tasks === undefined))
    throw usage('an eval needs tasks', 'Give either --from-history NUMBER or --tasks FOLDER.');
  if (tasks !== undefined && at !== undefined) throw usage('--at belongs to --from-history');
  if (budget === undefined) throw usage('an eval needs a budget for all its runs', 'Add e.g. --budget 20.');
  return {
    tasks:
      fromHistory !== undefined
        ? { from: 'history', count: parseCount(fromHistory, '--from-history', 1, MAX_TASKS), at: at ?? null }
        : { from: 'folder', folder: resolve(context.deps.cwd, tasks ?? '') },
    variants: variants.map((variant) => variantOf(context, variant)),
    repeat: parseCount(repeat, '--repeat', 1, MAX_REPEAT),
    budgetMicroUsd: parseAmount(budget, '--budget'),
    test: test ?? null,
    setup: setup === undefined ? null : setup === false ? [] : setup,
    parallel: parseCount(parallel, '--parallel', 1, MAX_PARALLEL),
    batchPrices: options.batchPrices === true,
  };
}

function variantOf(context: Context, { name, options }: NamedVariant): Variant {
  const { runBudget = RUN_BUDGET, setup: _, ...brief } = options;
  const budgetMicroUsd = parseAmount(runBudget, '--run-budget');
  const { brief: __, ...request } = briefRequest(context, '', brief);
  return { name, request: { ...request, budgetMicroUsd } };
}
