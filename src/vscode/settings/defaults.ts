/** What the settings give to a request that leaves it open. Loaded with the first request. */
import * as vscode from 'vscode';
import type { RequestInput } from '../../engine/state/api.ts';
import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { failure } from '../../shared/errors.ts';
import type { CommitAuthor, ConversationMode, Gate, MergeMode } from '../../shared/job/rows.ts';
import type { ProviderName } from '../../shared/model/models.ts';
import { DEFAULT_PROJECT, type ProjectDefinition } from '../../shared/project/projects.ts';
import { limit, read, setting, textOrNull } from './read.ts';

/** What a brief gets from the settings where its writer said nothing else; models and limits are those of its provider. */
export function briefDefaults(provider = setting.provider()): Omit<RequestInput<'submitBrief'>, 'brief'> {
  return {
    gates: read<Gate[]>('gates', ['plan', 'merge']),
    mergeMode: read<MergeMode>('mergeMode', 'merge'),
    provider,
    models: chosenModels(provider),
    // Whoever works on it, now or by a later choice: calls that have a price are not counted.
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
    conversation: read<ConversationMode>('conversation', 'continue'),
    reviewEachFeature: read('reviewEachFeature', false),
    allowedCommands: read<string[][]>('allowedCommands', []),
  };
}

type Definition = Pick<ProjectDefinition, 'provider' | 'scenario' | 'model'> & {
  readonly executors?: Executors | null;
};

/** Who answers the briefs of a project that has a say in it: nobody asked the default one. */
function answeredAs(project: (Definition & { readonly id: string }) | undefined): Partial<RequestInput<'submitBrief'>> {
  if (project === undefined || project.id === DEFAULT_PROJECT) return {};
  const { provider, scenario } = project;
  return provider === 'simulated' ? { provider, scenario } : { provider };
}

/**
 * A brief with what its writer left to its project, and then to the settings. A project's model is the engine's to put in place.
 * MODEL_NOT_CHOSEN: the editor's models have no default one.
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

/** Who answers a new project where nobody said it. MODEL_NOT_CHOSEN as for a brief. */
export function projectDefaults(provider = setting.provider()): Pick<Definition, 'provider'> & Partial<Definition> {
  return provider === 'vscode-lm' ? { provider, model: editorModel() } : { provider };
}

/** Who answers the main agent. MODEL_NOT_CHOSEN as for a brief. */
export function mainAgentDefaults(): Pick<Definition, 'provider' | 'model'> {
  const provider = setting.provider();
  return { provider, model: provider === 'vscode-lm' ? editorModel() : textOrNull(read('models.main', '')) };
}

/** Who answers the steps of a task where neither it nor its project says so. MODEL_NOT_CHOSEN as for a brief. */
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

function unpricedLimits(): { readonly calls: number; readonly tokens: number } {
  return { calls: read('limits.unpricedCalls', 500), tokens: read('limits.unpricedTokens', 20_000_000) };
}
