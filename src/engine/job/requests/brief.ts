/** Converts the options of a brief to the options of its job. */
import { DEFAULT_LADDERS, defaultLanes } from '../../../core/job/defaults.ts';
import { effortFault } from '../../../core/model/effort.ts';
import { rowName } from '../../../core/model/modelName.ts';
import { pricesWith } from '../../../core/money/price/terms.ts';
import { isPriced } from '../../../core/money/price/unpriced.ts';
import { ladderFault } from '../../../core/routing/ladderFault.ts';
import type { AgentEntries } from '../../../shared/agent/executorSchemas.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobOptions } from '../../../shared/job/rows.ts';
import { modelWithEffort } from '../../../shared/model/effort.ts';
import type { ProviderName } from '../../../shared/model/models.ts';
import type { ProjectRow } from '../../../shared/project/projects.ts';
import { MAX_BRIEF_BYTES } from '../../state/api.ts';
import type { Input } from './ports.ts';

export function titleOf(brief: string): string {
  const first = brief.trim().split(/\r?\n/, 1)[0] ?? '';
  return first.length > 80 ? `${first.slice(0, 79)}…` : first;
}

/** Throws BRIEF_EMPTY, BRIEF_TOO_LARGE or INVALID_INPUT. */
export function checkBrief({ brief, backlog }: Pick<Input<'submitBrief'>, 'brief' | 'backlog'>): void {
  if (backlog === true) {
    if (brief !== '') throw failure('INVALID_INPUT', 'a job has a brief or the backlog, not both');
    return;
  }
  if (brief.trim() === '') throw failure('BRIEF_EMPTY', 'the brief is empty', { hint: 'Say what should be done.' });
  const bytes = new TextEncoder().encode(brief).length;
  if (bytes > MAX_BRIEF_BYTES) {
    throw failure('BRIEF_TOO_LARGE', `the brief has ${bytes} bytes, at most ${MAX_BRIEF_BYTES} are allowed`, {
      hint: 'Put the material into the repository and name its files in the brief.',
    });
  }
}

/** `undefined` keeps the default, whatever the value's type. */
function chosen<T>(value: T | undefined, otherwise: T): T {
  return value === undefined ? otherwise : value;
}

/** An agent lowers a budget, and never raises it. */
function budgetOf(
  { budgetMicroUsd, by }: Input<'submitBrief'>,
  { budgetMicroUsd: ceiling }: JobOptions,
): number | null {
  const wanted = chosen(budgetMicroUsd, ceiling);
  if (by === undefined || ceiling === null) return wanted;
  return wanted === null ? ceiling : Math.min(wanted, ceiling);
}

export function jobOptions(input: Input<'submitBrief'>, defaults: JobOptions, scenario: string | null): JobOptions {
  const provider = chosen(input.provider, defaults.provider);
  return {
    ...defaults,
    gates: chosen(input.gates, defaults.gates),
    mergeMode: chosen(input.mergeMode, defaults.mergeMode),
    provider,
    scenario,
    setup: chosen(input.setup, defaults.setup),
    budgetMicroUsd: budgetOf(input, defaults),
    ...(input.executors === undefined ? {} : { executors: input.executors }),
    ...(input.unpricedLimits === undefined ? {} : { unpricedLimits: input.unpricedLimits }),
    ...modelsAndEffort(input, defaults),
    ...routingOf(input, defaults),
    attempt: { ...defaults.attempt, ...given(input.attempt) },
    maxRetries: chosen(input.maxRetries, defaults.maxRetries),
    maxPhaseAttempts: chosen(input.maxPhaseAttempts, defaults.maxPhaseAttempts),
    allowedCommands: [...defaults.allowedCommands, ...(input.allowedCommands ?? [])],
    batch: chosen(input.batch, defaults.batch),
    lanes: chosen(input.lanes, defaultLanes({ ...defaults, provider })),
    conversation: chosen(input.conversation, defaults.conversation ?? 'continue'),
    reviewEachFeature: chosen(input.reviewEachFeature, defaults.reviewEachFeature),
    ...(input.commitAuthor === undefined ? {} : { commitAuthor: input.commitAuthor }),
  };
}

/** A level that follows a model's name is the effort of its role, unless the brief names another one. */
function modelsAndEffort(input: Input<'submitBrief'>, defaults: JobOptions): Pick<JobOptions, 'models' | 'effort'> {
  const provider = chosen(input.provider, defaults.provider);
  const named = Object.entries(given(input.models)).map(([role, text]) => ({ role, ...modelWithEffort(text) }));
  const models = Object.fromEntries(named.map(({ role, model }) => [role, rowName(model, provider)]));
  const levels = Object.fromEntries(named.flatMap(({ role, effort }) => (effort === null ? [] : [[role, effort]])));
  const effort = { ...defaults.effort, ...levels, ...given(input.effort) };
  return {
    models: { ...defaults.models, ...models },
    ...(Object.keys(effort).length === 0 ? {} : { effort }),
  };
}

/** The executors of a project's jobs, role by role, unless the brief names others. */
export function withExecutorsOf(project: ProjectRow | undefined, options: JobOptions): JobOptions {
  const executors = { ...project?.executors, ...options.executors };
  return Object.keys(executors).length === 0 ? options : { ...options, executors };
}

/** A project's model and its effort carry out its jobs too, where its own provider answers them. */
export function withModelOf(
  project: ProjectRow | undefined,
  provider: ProviderName | undefined,
  defaults: JobOptions,
): JobOptions {
  const text = project?.model ?? null;
  if (text === null || project?.provider !== (provider ?? defaults.provider)) return defaults;
  const { model, effort } = modelWithEffort(text);
  const models = { planner: model, worker: model, reviewer: model, summarizer: model };
  if (effort === null) return { ...defaults, models };
  return { ...defaults, models, effort: { planner: effort, worker: effort, reviewer: effort, summarizer: effort } };
}

/** Absent if routing is off, so that such a job is filed as before. */
function routingOf(input: Input<'submitBrief'>, defaults: JobOptions): Pick<JobOptions, 'routing' | 'ladders'> {
  const routing = chosen(input.routing, defaults.routing ?? 'off');
  return routing === 'off'
    ? {}
    : { routing, ladders: { ...DEFAULT_LADDERS, ...defaults.ladders, ...given(input.ladders) } };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops absent values, so that an absent model or ceiling keeps the default. */
function given<T extends object>(values: T | undefined): Given<T> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** Throws NOT_FOUND for an unknown executor. */
export function checkKnown(agents: AgentEntries, names: readonly string[]): void {
  const unknown = names.find((name) => name !== BUILT_IN && !Object.hasOwn(agents, name));
  if (unknown === undefined) return;
  const known = [BUILT_IN, ...Object.keys(agents)].join(', ');
  throw failure('NOT_FOUND', `there is no agent ${unknown}`, {
    hint: `Known are: ${known}. To see what is wrong with your lines: autonomous agents`,
  });
}

/** Throws NOT_FOUND for an unknown executor, INVALID_INPUT for one without any limit. */
export function checkExecutors(agents: AgentEntries, names: readonly string[], { unpricedLimits }: JobOptions): void {
  checkKnown(agents, names);
  for (const name of names) {
    const entry = agents[name];
    if (entry === undefined || entry.models !== 'own' || unpricedLimits !== undefined) continue;
    throw failure(
      'INVALID_INPUT',
      `${entry.title} pays with a separate account, so the job needs limits of calls and tokens`,
      {
        hint: 'File the brief with both: --max-calls and --max-tokens, or from the editor, whose settings give them.',
      },
    );
  }
}

/** Throws INVALID_INPUT. */
export function checkLimited({ provider, unpricedLimits }: JobOptions): void {
  if (isPriced(provider) || unpricedLimits !== undefined) return;
  throw failure('INVALID_INPUT', `${provider} names no prices, so the job needs limits of calls and tokens`, {
    hint: 'File the brief from the editor, whose settings give these limits, or choose another provider.',
  });
}

/** Throws MODEL_UNPRICED or INVALID_INPUT for a ladder that routing cannot use. */
export function checkLadders(options: JobOptions): void {
  const fault = ladderFault(options, pricesWith(options.terms));
  if (fault !== null) throw failure(fault.code, fault.message, { hint: fault.hint });
}

/** Throws INVALID_INPUT for a level that a model does not take. */
export function checkEffort(options: JobOptions): void {
  const fault = effortFault(options);
  if (fault !== null) throw failure('INVALID_INPUT', fault.message, { hint: fault.hint });
}
