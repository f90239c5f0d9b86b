/** Fills the fields that a request leaves open from the settings. Loaded with the first request. */
import * as vscode from 'vscode';
import { DEFAULT_LANES } from '../../core/job/defaults.ts';
import type { RequestInput } from '../../engine/state/api.ts';
import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { failure } from '../../shared/errors.ts';
import type { CommitAuthor, ConversationMode, Gate, MergeMode } from '../../shared/job/rows.ts';
import type { ProviderName } from '../../shared/model/models.ts';
import { DEFAULT_PROJECT, type ProjectDefinition } from '../../shared/project/projects.ts';
import type { Routing } from '../../shared/routing.ts';
import { limit, read, setting, textOrNull } from './read.ts';

/** The fields of a brief that the user left open. Models and limits depend on the provider. */
export function briefDefaults(provider = setting.provider()): Omit<RequestInput<'submitBrief'>, 'brief'> {
  return {
    gates: read<Gate[]>('gates', ['plan', 'merge']),
    mergeMode: read<MergeMode>('mergeMode', 'merge'),
    provider,
    models: chosenModels(provider),
    ...chosenRouting(provider),
    // Set for every agent, because a later choice may need them: calls that have a price are not counted.
    unpricedLimits: unpricedLimits(),
    executors: setting.executors(),
    budgetMicroUsd: limit('limits.jobUsd', 10),
    attempt: {
      turns: read('limits.attemptTurns', 80),
      tokens: read('limits.attemptTokens', 4_000_000),
      seconds: read('limits.attemptMinutes', 60) * 60,
      microUsd: Math.round(read('limits.attemptUsd', 5) * 1e6),
    },
    maxRetries: read('limits.tries', 3),
    maxPhaseAttempts: read('limits.phaseTries', 3),
    commitAuthor: read<CommitAuthor>('commitAuthor', 'user'),
    batch: read('batch', 3),
    ...chosenLanes(provider),
    conversation: read<ConversationMode>('conversation', 'continue'),
    reviewEachFeature: read('reviewEachFeature', false),
    allowedCommands: read<string[][]>('allowedCommands', []),
  };
}

/** A simulated job has one lane, unless the setting was changed. */
function chosenLanes(provider: ProviderName): Pick<RequestInput<'submitBrief'>, 'lanes'> {
  const lanes = read('lanes', DEFAULT_LANES);
  return provider === 'simulated' && lanes === DEFAULT_LANES ? {} : { lanes };
}

type Definition = Pick<ProjectDefinition, 'provider' | 'scenario' | 'model'> & {
  readonly executors?: Executors | null;
};

/** Provider and model of a project's briefs, if its definition sets them. The default project sets none. */
function answeredAs(project: (Definition & { readonly id: string }) | undefined): Partial<RequestInput<'submitBrief'>> {
  if (project === undefined || project.id === DEFAULT_PROJECT) return {};
  const { provider, scenario } = project;
  return provider === 'simulated' ? { provider, scenario } : { provider };
}

/**
 * Fills the open fields of a brief from its project, and then from the settings. The engine sets a project's model. Throws MODEL_NOT_CHOSEN, because
 * the editor's models have no default.
 */
export function withDefaults(
  input: RequestInput<'submitBrief'>,
  project?: Definition & { readonly id: string },
): RequestInput<'submitBrief'> {
  const wanted = input.provider === undefined ? { ...answeredAs(project), ...input } : input;
  const { models: named, ...defaults } = briefDefaults(wanted.provider);
  const hasModel = project?.model != null && project.provider === (wanted.provider ?? defaults.provider);
  const filed = {
    ...defaults,
    ...(hasModel || named === undefined ? {} : { models: named }),
    ...wanted,
    executors: { ...defaults.executors, ...project?.executors, ...input.executors },
  };
  if (filed.provider === 'vscode-lm' && !hasModel && Object.keys(filed.models ?? {}).length === 0) {
    throw modelNotChosen();
  }
  return filed;
}

function modelNotChosen(): Error {
  return failure('MODEL_NOT_CHOSEN', vscode.l10n.t('No language model of the editor is chosen.'), {
    hint: vscode.l10n.t('Run Choose Provider, and then try again.'),
  });
}

/** Provider and model of a new project that sets none. Throws MODEL_NOT_CHOSEN as for a brief. */
export function projectDefaults(provider = setting.provider()): Pick<Definition, 'provider'> & Partial<Definition> {
  return provider === 'vscode-lm' ? { provider, model: editorModel() } : { provider };
}

/** Provider and model of the main agent. Throws MODEL_NOT_CHOSEN as for a brief. */
export function mainAgentDefaults(): Pick<Definition, 'provider' | 'model'> {
  const provider = setting.provider();
  return { provider, model: provider === 'vscode-lm' ? editorModel() : textOrNull(read('models.main', '')) };
}

/** Provider and model of a task's steps if neither the task nor its project sets them. Throws MODEL_NOT_CHOSEN as for a brief. */
export function taskDefaults(): { readonly provider?: ProviderName; readonly model?: string } {
  const provider = setting.provider();
  if (provider === 'anthropic') return {};
  return provider === 'vscode-lm' ? { provider, model: editorModel() } : { provider };
}

function editorModel(): string {
  const model = textOrNull(read('models.editor', ''));
  if (model === null) throw modelNotChosen();
  return model;
}

/** One for all roles in the editor's models; a role without a setting keeps the engine's default. */
export function chosenModels(provider: ProviderName): NonNullable<RequestInput<'submitBrief'>['models']> {
  const name = (role: string) => textOrNull(read(provider === 'vscode-lm' ? 'models.editor' : `models.${role}`, ''));
  const chosen = (['planner', 'worker', 'reviewer', 'summarizer'] as const).map((role) => [role, name(role)] as const);
  return Object.fromEntries(chosen.filter(([, model]) => model !== null));
}

/** Nothing for a provider without prices: routing compares prices. */
function chosenRouting(provider: ProviderName): Pick<RequestInput<'submitBrief'>, 'routing' | 'ladders'> {
  if (provider === 'vscode-lm') return {};
  const routing = read<Routing>('routing', 'off');
  const ladders = read<Record<string, string[]>>('ladders', {});
  return {
    ...(routing === 'off' ? {} : { routing }),
    ...(Object.keys(ladders).length === 0 ? {} : { ladders }),
  };
}

function unpricedLimits(): { readonly calls: number; readonly tokens: number } {
  return { calls: read('limits.unpricedCalls', 500), tokens: read('limits.unpricedTokens', 20_000_000) };
}
