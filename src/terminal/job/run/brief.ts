/** Converts the brief and its options from the command line into a request. */
import { resolve } from 'node:path';
import type { RequestInput } from '../../../engine/state/api.ts';
import { failure } from '../../../shared/errors.ts';
import { MAX_LANES } from '../../../shared/job/rows.ts';
import type { Context } from '../../screen/context.ts';
import {
  parseAmount,
  parseCommitAuthor,
  parseConversation,
  parseCount,
  parseEffort,
  parseExecutors,
  parseGates,
  parseLadders,
  parseMergeMode,
  parseModels,
  parseProvider,
  parseRouting,
  parseUsd,
  usage,
} from '../../text/parse.ts';

export interface BriefOptions {
  readonly file?: string;
  readonly project?: string;
  readonly provider?: string;
  readonly scenario?: string;
  readonly gates?: string;
  readonly merge?: string;
  /** Values of each `--setup`. False for `--no-setup`. */
  readonly setup?: readonly string[] | false;
  readonly budget?: string;
  readonly batch?: string;
  readonly lanes?: string;
  readonly conversation?: string;
  readonly reviewEachFeature?: true;
  readonly commitAuthor?: string;
  /** Values of each `--model`. */
  readonly model?: readonly string[];
  readonly routing?: string;
  /** Values of each `--ladder`. */
  readonly ladder?: readonly string[];
  /** Values of each `--effort`. */
  readonly effort?: readonly string[];
  /** Values of each `--executor`. */
  readonly executor?: readonly string[];
  readonly maxCalls?: string;
  readonly maxTokens?: string;
  readonly tries?: string;
  readonly phaseTries?: string;
  readonly attemptTurns?: string;
  readonly attemptTokens?: string;
  readonly attemptMinutes?: string;
  readonly attemptBudget?: string;
}

/** The text of `words`, of `--file`, or of the standard input when either of them is `-`. */
export async function readBrief(context: Context, words: readonly string[], file: string | undefined): Promise<string> {
  const { io, cwd } = context.deps;
  if (file !== undefined && words.length > 0) throw usage('give the brief as words or as --file, not both');
  const text = await (file === '-' || (words.length === 1 && words[0] === '-')
    ? io.readStdin()
    : file === undefined
      ? words.join(' ')
      : io.readFile(resolve(cwd, file)));
  if (text.trim() === '') {
    throw failure('BRIEF_EMPTY', 'there is no brief', {
      hint: 'Give it in quotes, by --file F, or by - from the input.',
    });
  }
  return text;
}

/** A built-in scenario has a plain name. A text that looks like a path is a path. */
export function scenarioOf(context: Context, text: string): string {
  return /[/\\]|\.(ya?ml|json)$/.test(text) ? resolve(context.deps.cwd, text) : text;
}

export function briefRequest(context: Context, brief: string, options: BriefOptions): RequestInput<'submitBrief'> {
  const scenario = options.scenario === undefined ? undefined : scenarioOf(context, options.scenario);
  const provider = options.provider === undefined ? undefined : parseProvider(options.provider);
  if (scenario !== undefined && provider === 'anthropic') throw usage('--scenario is only for --provider simulated');
  const setup = options.setup === false ? [] : options.setup;
  return {
    brief,
    ...(options.project === undefined ? {} : { project: options.project }),
    ...(provider === undefined && scenario === undefined ? {} : { provider: provider ?? 'simulated' }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(options.gates === undefined ? {} : { gates: parseGates(options.gates) }),
    ...(options.merge === undefined ? {} : { mergeMode: parseMergeMode(options.merge) }),
    ...(options.commitAuthor === undefined ? {} : { commitAuthor: parseCommitAuthor(options.commitAuthor) }),
    ...(setup === undefined ? {} : { setup: [...setup] }),
    ...(options.budget === undefined ? {} : { budgetMicroUsd: parseUsd(options.budget, '--budget') }),
    ...(options.model === undefined ? {} : { models: parseModels(options.model) }),
    ...(options.effort === undefined ? {} : { effort: parseEffort(options.effort) }),
    ...routingRequest(options),
    ...executorRequest(options),
    ...workingRequest(options),
  };
}

/** A ladder alone turns routing on. */
function routingRequest({ routing, ladder }: BriefOptions): Partial<RequestInput<'submitBrief'>> {
  if (routing === undefined && ladder === undefined) return {};
  return {
    routing: routing === undefined ? 'on' : parseRouting(routing),
    ...(ladder === undefined ? {} : { ladders: parseLadders(ladder) }),
  };
}

/** Executors, and limits for those without prices. */
function executorRequest({ executor, maxCalls, maxTokens }: BriefOptions): Partial<RequestInput<'submitBrief'>> {
  if ((maxCalls === undefined) !== (maxTokens === undefined))
    throw usage('--max-calls and --max-tokens belong together', 'Calls without a price are bounded by both.');
  const count = (text: string, option: string): number => parseCount(text, option, 1, 1_000_000_000);
  return {
    ...(executor === undefined ? {} : { executors: parseExecutors(executor) }),
    ...(maxCalls === undefined || maxTokens === undefined
      ? {}
      : { unpricedLimits: { calls: count(maxCalls, '--max-calls'), tokens: count(maxTokens, '--max-tokens') } }),
  };
}

/** Settings for further attempts, and the numbers of attempts after which a feature or a phase has failed. */
function workingRequest(options: BriefOptions): Partial<RequestInput<'submitBrief'>> {
  const { batch, lanes, conversation, reviewEachFeature, tries, phaseTries } = options;
  const attempt = attemptRequest(options);
  return {
    ...(batch === undefined ? {} : { batch: parseCount(batch, '--batch', 1, 10) }),
    ...(lanes === undefined ? {} : { lanes: parseLanes(lanes) }),
    ...(conversation === undefined ? {} : { conversation: parseConversation(conversation) }),
    ...(reviewEachFeature === undefined ? {} : { reviewEachFeature }),
    ...(tries === undefined ? {} : { maxRetries: parseCount(tries, '--tries', 1, 10) }),
    ...(phaseTries === undefined ? {} : { maxPhaseAttempts: parseCount(phaseTries, '--phase-tries', 1, 10) }),
    ...(Object.keys(attempt).length === 0 ? {} : { attempt }),
  };
}

export const parseLanes = (text: string): number => parseCount(text, '--lanes', 1, MAX_LANES);

function attemptRequest(options: BriefOptions): NonNullable<RequestInput<'submitBrief'>['attempt']> {
  const { attemptTurns, attemptTokens, attemptMinutes, attemptBudget } = options;
  const count = (text: string, option: string): number => parseCount(text, option, 1, 1_000_000_000);
  return {
    ...(attemptTurns === undefined ? {} : { turns: count(attemptTurns, '--attempt-turns') }),
    ...(attemptTokens === undefined ? {} : { tokens: count(attemptTokens, '--attempt-tokens') }),
    ...(attemptMinutes === undefined ? {} : { seconds: 60 * count(attemptMinutes, '--attempt-minutes') }),
    ...(attemptBudget === undefined ? {} : { microUsd: parseAmount(attemptBudget, '--attempt-budget') }),
  };
}
