/** Declares what a person asks of an eval, and what an eval returns. */
import type { EvalResult } from '../../shared/eval/records.ts';
import type { Variant } from './ports.ts';
import type { EvalEnd } from './runEval.ts';

/** What a person asks of an eval. */
export interface EvalRequest {
  readonly tasks:
    | { readonly from: 'history'; readonly count: number; readonly at: string | null }
    | { readonly from: 'folder'; readonly folder: string };
  readonly variants: readonly Variant[];
  readonly repeat: number;
  /** For all runs together. */
  readonly budgetMicroUsd: number;
  /** Null to detect the command. */
  readonly test: string | null;
  /** Null if the person named none: refused if a lock file needs a setup. */
  readonly setup: readonly string[] | null;
  /** Number of runs at a time. */
  readonly parallel: number;
  /** Whether the model calls are sent in batches: at half the price, each answered within a day. */
  readonly batchPrices: boolean;
}

export interface EvalWatch {
  /** Progress, one line. */
  say(text: string): void;
  readonly signal: AbortSignal;
}

/** The end of an eval, and what is recorded of it. */
export interface Evaluated extends EvalEnd {
  /** All results of this workspace, those of other evals included. */
  readonly results: readonly EvalResult[];
  /** Folder of the records, absolute. */
  readonly folder: string;
}
