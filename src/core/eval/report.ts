/** Summarizes the results of an eval: each variant with its pass rate, cost, turns and time, and each task with each variant. */
import type { EvalResult } from '../../shared/eval/records.ts';
import { type RunKey, resultsOf, runName } from './missingRuns.ts';
import { type Interval, type Mean, meanOf, wilson } from './statistics.ts';

export interface ReportInput {
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly category: string }[];
  readonly dropped: readonly { readonly name: string; readonly reason: string }[];
  /** Name and fingerprint of each variant, in their order. */
  readonly variants: readonly { readonly name: string; readonly settings: string }[];
  readonly runs: readonly RunKey[];
  readonly results: readonly EvalResult[];
  readonly budgetMicroUsd: number;
  readonly spentMicroUsd: number;
  readonly stopped: string | null;
  /** Version of Autonomous. */
  readonly release: string;
}

export interface VariantReport {
  readonly name: string;
  /** Executor, model and provider of the worker. Null before the first result. */
  readonly worker: { readonly executor: string; readonly model: string; readonly provider: string } | null;
  readonly runs: number;
  readonly missing: number;
  readonly passed: number;
  /** Null before the first result. */
  readonly rate: number | null;
  readonly rateInterval: Interval;
  readonly costUsd: Mean | null;
  /** All its runs together, failed ones included, for each passed one. Null if none passed. */
  readonly costPerPassedUsd: number | null;
  readonly turns: Mean | null;
  readonly seconds: Mean | null;
  /** Whether the cost is incomplete, because some calls have no price. */
  readonly unpriced: boolean;
}

export interface Cell {
  readonly runs: number;
  readonly passed: number;
  readonly costUsd: number | null;
  /** Why the last failed run did not pass. Empty if all passed. */
  readonly reason: string;
}

export interface TaskReport {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  /** One for each variant, in their order. */
  readonly cells: readonly Cell[];
}

export interface EvalReport {
  readonly variants: readonly VariantReport[];
  readonly tasks: readonly TaskReport[];
  readonly dropped: ReportInput['dropped'];
  readonly runs: number;
  readonly missing: number;
  readonly budgetUsd: number;
  readonly spentUsd: number;
  readonly stopped: string | null;
  /** Other versions of Autonomous that some results come from. */
  readonly otherReleases: readonly string[];
}

export function evalReport(input: ReportInput): EvalReport {
  const found = resultsOf(input.results, input.runs);
  const of = (wanted: (run: RunKey) => boolean): EvalResult[] =>
    input.runs.filter(wanted).flatMap((run) => found.get(runName(run)) ?? []);
  const releases = [...found.values()].map(({ release }) => release).filter((release) => release !== input.release);
  return {
    variants: input.variants.map(({ name, settings }) => {
      const wanted = input.runs.filter((run) => run.settings === settings).length;
      return variantReport(
        name,
        wanted,
        of((run) => run.settings === settings),
      );
    }),
    tasks: input.tasks.map(({ id, title, category }) => ({
      id,
      title,
      category,
      cells: input.variants.map(({ settings }) => cellOf(of((run) => run.task === id && run.settings === settings))),
    })),
    dropped: input.dropped,
    runs: input.runs.length,
    missing: input.runs.length - found.size,
    budgetUsd: input.budgetMicroUsd / 1e6,
    spentUsd: input.spentMicroUsd / 1e6,
    stopped: input.stopped,
    otherReleases: [...new Set(releases)].sort(),
  };
}

function variantReport(name: string, wanted: number, results: readonly EvalResult[]): VariantReport {
  const passed = results.filter((result) => result.passed).length;
  const costs = results.map(({ microUsd }) => microUsd / 1e6);
  const [first] = results;
  return {
    name,
    worker: first === undefined ? null : { executor: first.executor, model: first.model, provider: first.provider },
    runs: results.length,
    missing: wanted - results.length,
    passed,
    rate: results.length === 0 ? null : passed / results.length,
    rateInterval: wilson(passed, results.length),
    costUsd: meanOf(costs),
    costPerPassedUsd: passed === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / passed,
    turns: meanOf(results.map(({ turns }) => turns)),
    seconds: meanOf(results.map(({ seconds }) => seconds)),
    unpriced: results.some(({ unpricedCalls }) => unpricedCalls > 0),
  };
}

function cellOf(results: readonly EvalResult[]): Cell {
  const failed = results.findLast(({ passed }) => !passed);
  return {
    runs: results.length,
    passed: results.filter(({ passed }) => passed).length,
    costUsd: meanOf(results.map(({ microUsd }) => microUsd / 1e6))?.mean ?? null,
    reason: failed?.reason ?? '',
  };
}
