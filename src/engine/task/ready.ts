/** Decides what a task's steps need before the task starts: who answers, by which models, and the repository. */

import type { AgentEntries } from '../../shared/agent/executorSchemas.ts';
import type { JobOptions } from '../../shared/job/rows.ts';
import { modelWithEffort } from '../../shared/model/effort.ts';
import type { ProviderName } from '../../shared/model/models.ts';
import type { ProjectDefinition, ProjectRow } from '../../shared/project/projects.ts';
import { type FilingWanted, modelsAsked } from '../job/filing.ts';
import { withExecutorsOf, withModelOf } from '../job/requests/brief.ts';

/** The fields that definitions and rows share. */
export interface Startable {
  readonly provider?: ProviderName | null | undefined;
  readonly model?: string | null | undefined;
  readonly steps: readonly { readonly action: string }[];
}

export interface StartDefaults {
  /** The properties of a project that does not exist yet. */
  readonly definition: ProjectDefinition;
  readonly options: JobOptions;
  /** Model of a step if neither the task nor its project names one. */
  readonly taskModel: string;
  readonly projectDir: string;
  readonly agents: AgentEntries;
}

/** Null if the steps need neither a model nor a repository. */
export function neededBy(
  task: Startable,
  project: ProjectRow | undefined,
  { definition, options, taskModel, projectDir, agents }: StartDefaults,
): Omit<FilingWanted, 'what'> | null {
  const has = (action: string): boolean => task.steps.some((step) => step.action === action);
  const provider = task.provider ?? project?.provider ?? definition.provider;
  const jobs = withExecutorsOf(project, withModelOf(project, provider, options));
  const models = [
    ...(has('llm_generate') ? [modelWithEffort(task.model ?? project?.model ?? taskModel).model] : []),
    ...(has('run_brief') ? modelsAsked(agents, jobs) : []),
  ];
  const folder = has('run_brief') || has('command') ? (project?.workdir ?? projectDir) : null;
  if (models.length === 0 && folder === null) return null;
  return { model: models.length === 0 ? null : { provider, models: [...new Set(models)] }, folder };
}
